import { expect, test } from 'bun:test'
import { mkdirSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MAX_SPOOL_BYTES, openSpool } from '../../cli/assistants/spool.ts'
import { listMemories } from '../../shared/contract/index.ts'
import { eventually } from '../harness/eventually.ts'
import { type TestUser, useSharedServer } from '../harness/server.ts'
import { type Machine, signedInMachine } from './svc.ts'

const server = useSharedServer()

/** A profile whose key the server rejects, so that turns wait. */
const SIGNED_OUT = { SVC_API_KEY: 'svc_invalid' }

const input = (text: string, turn = text) =>
  JSON.stringify({
    hook_event_name: 'UserPromptSubmit',
    session_id: 'one',
    turn_id: turn,
    cwd: '/',
    prompt: text,
  })

const prompt = (machine: Machine, text: string, env: Record<string, string> = {}) =>
  machine.svc(['hook', 'codex'], { stdin: input(text), env })

const textsOf = async ({ client }: TestUser) => {
  const { memories } = await client.call(listMemories, { query: { limit: 100 } })
  return memories.map(({ content_text }) => content_text).toReversed()
}

const spoolDir = ({ configDir }: Machine) => join(configDir, 'hooks/spool')
const modeOf = (path: string) => statSync(path).mode & 0o777

test('svc spool sends the turns that wait, in order, and prints how many', async () => {
  const { machine, user } = await signedInMachine(server.current)
  for (const text of ['One.', 'Two.', 'Three.']) await prompt(machine, text, SIGNED_OUT)
  const [name = ''] = readdirSync(spoolDir(machine))
  expect([modeOf(spoolDir(machine)), modeOf(join(spoolDir(machine), name))]).toEqual([0o700, 0o600])
  const failed = await machine.svc(['spool'], { env: SIGNED_OUT })
  expect(failed).toMatchObject({ code: 1, stdout: '0 turns sent, 3 waiting, 0 refused.\n' })
  const { stdout } = await machine.svc(['spool', '--json'])
  expect(JSON.parse(stdout)).toEqual({ sent: 3, waiting: 0, refused: [], error: null })
  expect(await textsOf(user)).toEqual(['One.', 'Two.', 'Three.'])
})

test('a turn that the server refuses for good is set aside and blocks nothing', async () => {
  const { machine, user } = await signedInMachine(server.current)
  await prompt(machine, 'Before.', SIGNED_OUT)
  const target = { profile: 'default', url: server.current.url }
  const capture = { client: 'codex', channel: 'hook' as const, session: 's', messages: [] }
  openSpool(machine.configDir).add({ target, capture }, 0)
  writeFileSync(
    join(spoolDir(machine), `00000000000001-000000-5-${crypto.randomUUID()}.json`),
    'no JSON',
  )
  await prompt(machine, 'After.')
  // A hook on a busy machine has no time to send everything.
  await machine.svc(['spool'])
  expect(await textsOf(user)).toEqual(['Before.', 'After.'])
  const { stdout } = await machine.svc(['spool', '--json'])
  expect(JSON.parse(stdout)).toMatchObject({
    waiting: 0,
    refused: [
      { client: null, status: null, message: 'The file cannot be read' },
      { client: 'codex', session: 's', status: 422 },
    ],
  })
  expect((await machine.svc(['doctor'])).stdout).toContain(
    'The server refused turns of assistants: 2',
  )
  expect((await machine.svc(['status'])).stderr).toContain('refused turns of assistants')
  const retried = await machine.svc(['spool', '--retry'])
  expect(retried.stdout).toContain('0 turns sent, 0 waiting, 2 refused.')
})

test('a turn that cannot be set aside blocks no other', async () => {
  const { machine, user } = await signedInMachine(server.current)
  const target = { profile: 'default', url: server.current.url }
  const capture = { client: 'codex', channel: 'hook' as const, session: 's', messages: [] }
  openSpool(machine.configDir).add({ target, capture }, 0)
  await prompt(machine, 'After.', SIGNED_OUT)
  // No folder can be made here, as on a full disk.
  writeFileSync(join(machine.configDir, 'hooks/refused'), '')
  const { code, stdout } = await machine.svc(['spool'])
  expect({ code, stdout }).toEqual({ code: 1, stdout: '1 turn sent, 1 waiting, 0 refused.\n' })
  expect(await textsOf(user)).toEqual(['After.'])
})

test.each([
  { target: { url: 5 }, capture: { client: 'codex', session: 's', messages: [] } },
  { target: [], capture: { client: 'codex', session: 's', messages: {} } },
  { target: 'x', capture: { client: 'codex', session: 's', messages: [] } },
  { target: {}, capture: 'x' },
])('a waiting file with %j is set aside', async (content) => {
  const { machine, user } = await signedInMachine(server.current)
  await prompt(machine, 'After.', SIGNED_OUT)
  const name = `00000000000001-000000-5-${crypto.randomUUID()}.json`
  writeFileSync(join(spoolDir(machine), name), JSON.stringify(content))
  const { stdout } = await machine.svc(['spool', '--json'])
  expect(JSON.parse(stdout)).toMatchObject({ sent: 1, waiting: 0, refused: [{ name }] })
  expect(await textsOf(user)).toEqual(['After.'])
})

test('a turn waits while another account is signed in', async () => {
  const { machine, user } = await signedInMachine(server.current)
  await prompt(machine, 'Private.', { SVC_URL: 'http://127.0.0.1:9' })
  const target = { profile: 'default', url: server.current.url, account: 'other@example.com' }
  const messages = [{ turn: '1', role: 'user' as const, content: 'Of another account.' }]
  const capture = { client: 'codex', channel: 'hook' as const, session: 's', messages }
  openSpool(machine.configDir).add({ target, capture }, 0)
  expect((await machine.svc(['spool'])).stdout).toContain('2 waiting')
  expect(await textsOf(user)).toEqual([])
})

test('turns from before the first sign-in go to the server of that sign-in', async () => {
  const { machine, user } = await signedInMachine(server.current)
  delete machine.env.SVC_URL
  const later = `${machine.credentialsFile}.later`
  renameSync(machine.credentialsFile, later)
  await prompt(machine, 'Early.')
  renameSync(later, machine.credentialsFile)
  expect((await machine.svc(['spool'])).stdout).toBe('1 turn sent, 0 waiting, 0 refused.\n')
  expect(await textsOf(user)).toEqual(['Early.'])
})

test('a full spool keeps the oldest turns', async () => {
  const { machine } = await signedInMachine(server.current)
  mkdirSync(spoolDir(machine), { recursive: true })
  const name = `00000000000000-000000-${MAX_SPOOL_BYTES}-${crypto.randomUUID()}.json`
  writeFileSync(join(spoolDir(machine), name), '{"target":{"profile":"none"},"capture":{}}')
  await prompt(machine, 'New.', SIGNED_OUT)
  expect(readdirSync(spoolDir(machine)).filter((each) => each.endsWith('.json'))).toEqual([name])
  expect((await machine.svc(['doctor'])).stdout).toContain('The spool is full')
})

test('a hook that cannot write files sends the turn at once', async () => {
  const { machine, user } = await signedInMachine(server.current)
  // A limit of the size of files fails each write, as a full disk does.
  const command = ['sh', '-c', 'ulimit -f 0; exec "$@"', 'sh', ...machine.command('hook', 'codex')]
  const child = Bun.spawn(command, {
    env: machine.env,
    stdin: new Blob([input('On a full disk.')]),
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [code, stderr] = await Promise.all([child.exited, child.stderr.text()])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(await textsOf(user)).toEqual(['On a full disk.'])
})

test('a hook that is killed in the middle loses no stored turn, and doubles none', async () => {
  const { machine, user } = await signedInMachine(server.current)
  const held = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: () => new Promise<Response>(() => {}),
  })
  try {
    const child = Bun.spawn(machine.command('hook', 'codex', 'Stop'), {
      env: { ...machine.env, SVC_URL: held.url.origin, SVC_API_KEY: user.key },
      stdin: new Blob([
        JSON.stringify({
          hook_event_name: 'Stop',
          session_id: 'k',
          turn_id: '1',
          cwd: '/',
          last_assistant_message: 'Kept.',
        }),
      ]),
      stdout: 'ignore',
      stderr: 'ignore',
    })
    await eventually(() => openSpool(machine.configDir).names().length === 1)
    child.kill('SIGKILL')
    await child.exited
  } finally {
    await held.stop(true)
  }
  const spool = openSpool(machine.configDir)
  const [name = ''] = spool.names()
  const entry = spool.read(name)
  if (!entry) throw new Error('the turn was lost')
  spool.add({ ...entry, target: { profile: 'default' } }, 0)
  spool.add({ ...entry, target: { profile: 'default' } }, 0)
  spool.remove(name)
  await machine.svc(['spool'])
  expect(await textsOf(user)).toEqual(['Kept.'])
})
