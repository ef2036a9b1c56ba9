import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import {
  memoryFacts,
  memoryStatistics,
  remember,
  updateMemory,
} from '../../shared/contract/index.ts'
import { createDatabase, type TestDatabase } from '../harness/database.ts'
import { eventually } from '../harness/eventually.ts'
import { runSql } from '../harness/http.ts'
import { type ModelServer, says, startModelServer } from '../harness/model-server.ts'
import { newUser, startServer, type TestServer, type TestUser } from '../harness/server.ts'
import { SHARED, startMember } from './support.ts'

setDefaultTimeout(120_000)

let database: TestDatabase
let model: ModelServer
let web: TestServer
const stack = new AsyncDisposableStack()
beforeAll(async () => {
  database = await createDatabase()
  stack.defer(database.drop)
  model = stack.use(await startModelServer())
  web = stack.use(await startServer({ ...SHARED, SVC_ROLE: 'web' }, database))
}, 120_000)
afterAll(() => stack.disposeAsync())

const startWorker = async () => {
  const variables = { SVC_OPENAI_BASE_URL: model.url, SVC_CHAT_MODEL: 'a-model' }
  return stack.use(await startMember('worker', { ...database.env, ...SHARED, ...variables }))
}

const newOwner = async (): Promise<TestUser> => {
  const user = await newUser(web)
  await runSql(database, `update users set email_verified = true where id = '${user.id}'`)
  return user
}

const textsOf = ({ body }: ModelServer['calls'][number]): string[] =>
  JSON.parse(body.messages.at(-1).content).map(({ text }: { text: string }) => text)

/** One fact for each memory, with its text as the value. */
const factsOf = (texts: string[]) => ({
  facts: texts.map((text, index) => ({
    memory: index + 1,
    kind: 'preference',
    subject: 'self',
    key: 'preference.zorblat',
    value: text,
    polarity: 'like',
    due_at: null,
    quote: text,
  })),
})

const valuesOf = async ({ client }: TestUser, memory_id: string) => {
  const { facts } = await client.call(memoryFacts, { params: { memory_id } })
  return facts.map(({ value }) => value)
}

const isPending = async ({ client }: TestUser): Promise<boolean> => {
  const { engines } = await client.call(memoryStatistics)
  return engines.some(({ pending }) => pending > 0)
}

const write = async ({ client }: TestUser, content: string): Promise<string> =>
  (await client.call(remember, { body: { content } })).memory_id

const OLD = 'The zorblat is teal'
const NEW = 'The zorblat is amber'
const OTHER = 'The zorblat is mauve'

test('a worker that was frozen beyond its lease does not replace the facts of the worker that took over', async () => {
  const owner = await newOwner()
  const isCalled = Promise.withResolvers<void>()
  const isAnswered = Promise.withResolvers<void>()
  model.always(async (response, call) => {
    const texts = textsOf(call)
    if (texts.includes(OLD)) {
      isCalled.resolve()
      await isAnswered.promise
    }
    says(JSON.stringify(factsOf(texts)))(response)
  })
  const memory_id = await write(owner, OLD)
  const frozen = await startWorker()
  await isCalled.promise
  // Frozen in a transaction of its other engines, it would keep the locks of their lease.
  const leases = () =>
    runSql(database, `select worker from engine_leases where owner_id = '${owner.id}'`)
  await eventually(async () => (await leases()).every(({ worker }) => worker === 'remote'))
  frozen.signal('SIGSTOP')

  await owner.client.call(updateMemory, { params: { memory_id }, body: { content: NEW } })
  await runSql(
    database,
    `update engine_leases set expires_at = now() where owner_id = '${owner.id}'`,
  )
  const other = await startWorker()
  await eventually(async () => !(await isPending(owner)))
  expect(await valuesOf(owner, memory_id)).toEqual([NEW])
  await other.stop()

  // The answer is there when the worker continues, and the next memory after it.
  isAnswered.resolve()
  frozen.signal('SIGCONT')
  const later = await newOwner()
  const later_id = await write(later, OTHER)
  await eventually(async () => (await valuesOf(later, later_id)).includes(OTHER))
  await eventually(async () => !(await isPending(later)))
  expect(await valuesOf(owner, memory_id)).toEqual([NEW])
  expect(await isPending(owner)).toBe(false)
})
