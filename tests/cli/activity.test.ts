import { expect, setDefaultTimeout, test } from 'bun:test'
import { createClient } from '../../shared/client.ts'
import type { ActivityEvent } from '../../shared/contract/activity.ts'
import { context, recall, remember, revokeKey } from '../../shared/contract/index.ts'
import { createDatabase } from '../harness/database.ts'
import { eventually } from '../harness/eventually.ts'
import { newUser, startServer, useSharedServer } from '../harness/server.ts'
import { isOfAccount } from '../system/activity-stream.ts'
import { machineWithKey } from './svc.ts'

const server = useSharedServer()
setDefaultTimeout(60_000)

/** Reads a stream while its command runs. */
const collect = (stream: ReadableStream<Uint8Array>) => {
  const read = { text: '', done: Promise.resolve() }
  read.done = (async () => {
    for await (const part of stream) read.text += new TextDecoder().decode(part)
  })()
  return read
}

test('activity lists who read and wrote what, filtered and page by page', async () => {
  const user = await newUser(server.current)
  const { machine } = await machineWithKey(server.current, user)
  await user.client.call(remember, { body: { content: 'We deploy to Hetzner.' } })
  await user.client.call(recall, { body: { query: 'Where do we deploy?' } })
  await user.client.call(context, {
    body: { query: 'Where is it deployed?', session: 's1', thread: 'claude-code:s1' },
  })
  const { stdout } = await eventually(async () => {
    const listed = await machine.svc(['activity'])
    return listed.stdout.includes('was given') && listed
  })
  expect(stdout.split('\n').map((line) => line.split(/ {2,}/).slice(1))).toEqual([
    ['CLIENT', 'EVENT', 'TEXT'],
    ['Claude Code', 'was given 1 memory', 'Where is it deployed?'],
    ['test', 'recalled 1 memory', 'Where do we deploy?'],
    ['test', 'remembered 1 memory', 'We deploy to Hetzner.'],
    ['created an API key', 'test'],
    ['signed in'],
    ['changed the account', 'user.signed_up'],
    [],
  ])
  const only = await machine.svc(['activity', '--client', 'claude-code', '--json', 'kind,session'])
  expect(JSON.parse(only.stdout)).toEqual([{ kind: 'context', session: 's1' }])
  const page = await machine.svc(['activity', '--limit', '1'])
  const [, before = ''] =
    /For more, run: svc activity --limit 1 --before (\d+)/.exec(page.stderr) ?? []
  const next = await machine.svc(['activity', '--limit', '1', '--before', before])
  expect(next.stdout).toContain('recalled 1 memory')
  const wrong = await machine.svc(['activity', '--before', 'x'])
  expect(wrong.code).toBe(2)
  expect(wrong.stderr).toContain('before')
  expect((await machine.svc(['activity', '--kind', 'no.such'])).stderr).toBe('No activity.\n')
})

test('activity --follow prints each event, over a restart of the server, until Ctrl-C', async () => {
  const database = await createDatabase()
  await using first = await startServer({}, database)
  const user = await newUser(first)
  const { machine } = await machineWithKey(first, user)
  const port = new URL(first.url).port
  const running = machine.start(['activity', '--follow'])
  const [out, err] = [collect(running.stdout), collect(running.stderr)]
  await eventually(() => err.text.includes('Waiting for activity.'))
  await user.client.call(remember, { body: { content: 'Before the restart.' } })
  await eventually(() => out.text.includes('Before the restart.'))
  await first.stop()
  await using second = await startServer({ SVC_PORT: port }, database)
  await user.client.call(remember, { body: { content: 'After the restart.' } })
  await eventually(() => out.text.includes('After the restart.'))
  running.kill()
  expect((await running.ended).code).toBe(130)
  expect(out.text.match(/remembered 1 memory/g)).toHaveLength(2)
  await second.stop()
  await database.drop()
})

test('activity --follow --json prints one event a line, and ends with its key', async () => {
  const user = await newUser(server.current)
  const { machine } = await machineWithKey(server.current, user)
  const running = machine.start(['activity', '--follow', '--json'])
  const [out, err] = [collect(running.stdout), collect(running.stderr)]
  await eventually(async () => {
    await user.client.call(remember, { body: { content: `A note: ${crypto.randomUUID()}` } })
    return out.text.split('\n').length > 2
  })
  for (const line of out.text.trimEnd().split('\n')) {
    const event: ActivityEvent = JSON.parse(line)
    if (!isOfAccount(event)) expect(event).toMatchObject({ kind: 'memory.stored', count: 1 })
  }
  const owner = createClient({ baseUrl: server.current.url, credential: user.accessToken })
  await owner.call(revokeKey, { params: { key_id: user.keyId } })
  await eventually(async () => {
    const body = { content: `After the end: ${crypto.randomUUID()}` }
    await owner.call(remember, { body })
    return err.text.includes('svc login')
  })
  const { code } = await running.ended
  expect([code, err.text]).toEqual([4, expect.stringContaining('svc login')])
})
