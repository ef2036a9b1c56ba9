import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import {
  createReflex,
  listFirings,
  memoryFacts,
  memoryStatistics,
  remember,
} from '../../shared/contract/index.ts'
import { createDatabase, type TestDatabase } from '../harness/database.ts'
import { eventually } from '../harness/eventually.ts'
import { runSql } from '../harness/http.ts'
import { type ModelServer, says, startModelServer } from '../harness/model-server.ts'
import { newUser, startServer, type TestServer, type TestUser } from '../harness/server.ts'
import { SHARED } from './support.ts'

setDefaultTimeout(120_000)

let database: TestDatabase
let model: ModelServer
let web: TestServer
const stack = new AsyncDisposableStack()
const startRole = async (role: string): Promise<TestServer> =>
  stack.use(
    await startServer(
      // The model answers once the second worker has started: Ollama has two minutes for its first token.
      { ...SHARED, SVC_ROLE: role, SVC_OLLAMA_URL: model.url, SVC_CHAT_MODEL: 'a-model' },
      database,
    ),
  )
beforeAll(async () => {
  database = await createDatabase()
  stack.defer(database.drop)
  model = stack.use(await startModelServer())
  web = await startRole('web')
}, 120_000)
afterAll(() => stack.disposeAsync())

/** The texts of the memories that a call extracts facts from. */
const textsOf = ({ body }: ModelServer['calls'][number]): string[] =>
  JSON.parse(body.messages.at(-1).content).map(({ text }: { text: string }) => text)

let completions = 0

/** Answers each call after `opened`, with other values than every other call. */
const answersAfter = (opened: Promise<void>) =>
  model.always(async (response, call) => {
    const answer = ++completions
    await opened
    const facts = textsOf(call).map((text, index) => ({
      memory: index + 1,
      kind: 'preference',
      subject: 'self',
      key: 'preference.color',
      value: `color ${answer}`,
      polarity: 'like',
      due_at: null,
      quote: text,
    }))
    says(JSON.stringify({ facts }))(response)
  })

/** A user with a verified address; no worker mails the link. */
const newOwner = async (): Promise<TestUser> => {
  const user = await newUser(web)
  await runSql(database, `update users set email_verified = true where id = '${user.id}'`)
  return user
}

const write = async ({ client }: TestUser, content: string): Promise<string> =>
  (await client.call(remember, { body: { content } })).memory_id

const isPending = async ({ client }: TestUser): Promise<boolean> => {
  const { engines } = await client.call(memoryStatistics)
  return engines.some(({ pending }) => pending > 0)
}

test('memories that a web process wrote have their facts, links and firings once, although two workers know of them', async () => {
  const users = [await newOwner(), await newOwner(), await newOwner()] as const
  const [first] = users
  const { reflex_id } = await first.client.call(createReflex, {
    body: {
      name: 'Watch',
      trigger: { type: 'memory' },
      action: { type: 'notify', channel: 'inbox', text: 'It was written' },
    },
  })
  const opened = Promise.withResolvers<void>()
  answersAfter(opened.promise)

  await startRole('worker')
  const written = [{ user: first, id: await write(first, 'The zorblat of Monday was teal.') }]
  await eventually(async () => model.calls.length === 1)
  // Its first sweep finds the task of the memory that the first worker has not finished.
  await startRole('worker')
  // The first worker runs two owners at a time, so these calls show that the second one works too.
  for (const user of users.slice(1))
    written.push({ user, id: await write(user, `The zorblat of ${user.id} was.`) })
  await eventually(async () => model.calls.length >= 3)
  // A worker still has the lease on its owner.
  written.push({ user: first, id: await write(first, 'The zorblat of Tuesday was teal too.') })
  opened.resolve()
  await eventually(async () => !(await Promise.all(users.map(isPending))).includes(true))

  const extracted = model.calls.flatMap(textsOf)
  expect(extracted).toHaveLength(written.length)
  expect(new Set(extracted).size).toBe(written.length)
  for (const { user, id } of written) {
    const { facts } = await user.client.call(memoryFacts, { params: { memory_id: id } })
    expect(facts.map(({ key }) => key)).toEqual(['preference.color'])
  }
  expect((await first.client.call(memoryStatistics)).links).toBe(1)
  const firings = await eventually(async () => {
    const found = await first.client.call(listFirings, { params: { reflex_id } })
    return found.length > 1 && found
  })
  expect(firings).toHaveLength(2)
})

test('another worker takes over from a killed one when its lease has expired', async () => {
  const user = await newOwner()
  model.reset()
  answersAfter(Promise.resolve())
  await runSql(
    database,
    `insert into engine_leases (owner_id, worker, holder, expires_at)
    select '${user.id}', worker, gen_random_uuid(), now() + interval '1 hour'
    from (values ('local'), ('remote')) as w(worker)`,
  )
  await write(user, 'The zorblat of the lease was teal.')
  await write(await newOwner(), 'The zorblat of another owner was teal.')
  await eventually(async () => model.calls.length > 0)
  expect(model.calls.flatMap(textsOf)).toEqual(['The zorblat of another owner was teal.'])
  await runSql(
    database,
    `update engine_leases set expires_at = now() where owner_id = '${user.id}'`,
  )
  await eventually(async () => !(await isPending(user)))
  expect(model.calls.flatMap(textsOf)).toContain('The zorblat of the lease was teal.')
})
