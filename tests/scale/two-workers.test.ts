import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import {
  createReflex,
  listFirings,
  memoryFacts,
  memoryStatistics,
  remember,
} from '../../shared/contract/index.ts'
import { createDatabase, type TestDatabase } from '../harness/database.ts'
import { runSql } from '../harness/http.ts'
import { type ModelServer, says, startModelServer } from '../harness/model-server.ts'
import { newUser, startServer, type TestServer, type TestUser } from '../harness/server.ts'
import { eventually, SHARED } from './support.ts'

setDefaultTimeout(120_000)

let database: TestDatabase
let model: ModelServer
let web: TestServer
const stack = new AsyncDisposableStack()
const startRole = async (role: string): Promise<TestServer> =>
  stack.use(
    await startServer(
      { ...SHARED, SVC_ROLE: role, SVC_OPENAI_BASE_URL: model.url, SVC_CHAT_MODEL: 'a-model' },
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

test('a memory that a web process wrote is processed once, although two workers know of it', async () => {
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
  const ids = [await write(first, 'The zorblat of Monday was teal.')]
  await eventually(async () => model.calls.length === 1)
  // Its first sweep finds the task of the memory that the first worker has not finished.
  await startRole('worker')
  // The first worker runs two owners at a time, so these calls show that the second one works too.
  for (const user of users.slice(1)) ids.push(await write(user, `The zorblat of ${user.id} was.`))
  await eventually(async () => model.calls.length >= 3)
  opened.resolve()
  await eventually(async () => !(await Promise.all(users.map(isPending))).includes(true))

  const extracted = model.calls.flatMap(textsOf)
  expect(extracted).toHaveLength(3)
  expect(new Set(extracted).size).toBe(3)
  for (const [i, user] of users.entries()) {
    const params = { memory_id: ids[i] ?? '' }
    const { facts } = await user.client.call(memoryFacts, { params })
    expect(facts.map(({ key }) => key)).toEqual(['preference.color'])
  }
  const firings = await eventually(async () => {
    const found = await first.client.call(listFirings, { params: { reflex_id } })
    return found.length > 0 && found
  })
  expect(firings).toHaveLength(1)
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
