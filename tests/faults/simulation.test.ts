import { expect, setDefaultTimeout, test } from 'bun:test'
import { remember } from '../../shared/contract/index.ts'
import { createDatabase } from '../harness/database.ts'
import { factsOf } from '../harness/facts.ts'
import { runSql } from '../harness/http.ts'
import { startServer } from '../harness/server.ts'
import { fetchingFrom } from '../harness/web.ts'
import { HOME, newAccount } from './account.ts'
import { check } from './check.ts'
import { simulate } from './simulation.ts'
import { startWebhooks } from './webhooks.ts'

setDefaultTimeout(600_000)

test('two web and two worker processes lose and double nothing under random faults', async () => {
  const { histories, faults, outcomes } = await simulate({
    seed: 11,
    rounds: 1,
    roundSeconds: 30,
    accounts: 2,
    pauseMs: 200,
    longestSeconds: 3,
  })
  expect(histories.flatMap(({ violations }) => violations)).toEqual([])
  expect(faults.size).toBeGreaterThan(3)
  expect(outcomes.counts.answered).toBeGreaterThan(0)
  expect([...outcomes.errors]).toEqual([])
})

test('the check of a history names what was lost, kept, doubled or derived from an old memory', async () => {
  using webhooks = startWebhooks()
  await using database = {
    ...(await createDatabase()),
    [Symbol.asyncDispose]: () => database.drop(),
  }
  await using server = await startServer({ SVC_DEFAULT_TIER: 'conscious' }, database, {
    fetching: fetchingFrom(webhooks.port),
  })
  const account = await newAccount(database.env.SVC_DATABASE_URL, [
    { name: 'web', process: server },
  ])
  const [{ client } = { client: undefined }] = account.clients
  if (!client) throw new Error('no client')
  const write = (content: string, more: { thread?: string; tags?: string[] } = {}) =>
    client.call(remember, { body: { content, ...more } })
  const { history } = account

  await check(account, webhooks)
  expect(history.violations).toEqual([])

  history.notes.set('Note 1', crypto.randomUUID())
  await write('Note 2')
  history.deleted.add('Note 2')
  await write('Note 3', { thread: 'a' })
  await write('Note 3', { thread: 'b' })
  history.openBatches.push(['Note 3', 'Note 4'])
  history.register = 7
  history.signals.add(5)
  const { memory_id } = await write('I live in Oslo.', { tags: [HOME] })
  await factsOf(client, memory_id)
  await runSql(
    database,
    `update memory_facts set value = 'Prague' where memory_id = '${memory_id}'`,
  )

  await check(account, webhooks)
  expect(history.violations).toEqual([
    'Note 1 was acknowledged and is lost',
    'Note 2 was deleted and is there',
    '1 of 2 memories of a batch are there',
    'a note is there twice',
    'the register ended at 0 after 7 was acknowledged',
    'home is Prague although the latest memory is "I live in Oslo."',
    'signal 5 fired 0 times',
    'signal 5 has 0 webhooks',
  ])
})
