import { expect, setDefaultTimeout, test } from 'bun:test'
import { capture, listMemories, remember } from '../../shared/contract/index.ts'
import { newUser, type TestUser, useSharedServer } from '../harness/server.ts'
import { inTerminal, type Machine, machineWithKey } from './svc.ts'

const server = useSharedServer()
setDefaultTimeout(60_000)

interface Held {
  client?: string
  session: string
  project?: string | null
  channel?: 'hook' | 'proxy' | 'import'
  /** When it was held. */
  at?: string
}

/** Captures a prompt and its answer. */
const hold = ({ client: api }: TestUser, held: Held) => {
  const { client = 'codex', session, project = 'acme/shop', channel = 'hook', at } = held
  const messages = (['user', 'assistant'] as const).map((role) => ({
    turn: '1',
    ordinal: 1,
    role,
    content: role === 'user' ? `We deploy ${session} to Hetzner.` : 'Noted.',
    ...(at && { occurred_at: at }),
  }))
  return api.call(capture, { body: { client, session, project, channel, messages } })
}

const holding = async (...all: Held[]) => {
  const user = await newUser(server.current)
  for (const held of all) await hold(user, held)
  return { ...(await machineWithKey(server.current, user)), user }
}

const live = async ({ client }: TestUser, thread: string) =>
  (await client.call(listMemories, { query: { thread } })).memories.length

const list = async (machine: Machine, ...args: string[]) => {
  const { code, stdout, stderr } = await machine.svc(['captures', 'list', ...args])
  expect(code).toBe(0)
  return { rows: stdout.trimEnd().split('\n'), stderr }
}

const FIRST: Held = { session: '0199a3f2-7c1e-7b52', at: '2026-01-31T09:30:00Z' }
const SECOND: Held = { session: '0199a3f2-8d2f-7c63', at: '2026-02-01T09:30:00Z' }
const OTHER: Held = {
  client: 'claude-code',
  session: 'e5',
  project: null,
  at: '2026-01-30T09:30:00Z',
}

test('captured conversations are listed, the latest first, by assistant and page by page', async () => {
  const { machine } = await holding(FIRST, SECOND, OTHER)
  const { rows } = await list(machine)
  expect(rows.map((row) => row.split(/ {2,}/))).toEqual([
    ['LAST', 'CLIENT', 'PROJECT', 'MEMORIES', 'SESSION'],
    ['2026-02-01T09:30Z', 'codex', 'acme/shop', '2', SECOND.session],
    ['2026-01-31T09:30Z', 'codex', 'acme/shop', '2', FIRST.session],
    ['2026-01-30T09:30Z', 'claude-code', '2', 'e5'],
  ])
  expect((await list(machine, '--client', 'claude-code')).rows).toHaveLength(2)
  expect((await list(machine, '--client', 'cursor')).stderr).toBe(
    'No conversation with Cursor was captured.\n',
  )

  const page = await list(machine, '--limit', '2', '--client', 'codex', '--json')
  expect(JSON.parse(page.rows.join('\n'))).toMatchObject({ next_cursor: null })
  const { stderr } = await list(machine, '--limit', '2')
  const [, cursor = ''] = /--cursor '([^']+)'/.exec(stderr) ?? []
  const rest = await list(machine, '--cursor', cursor, '--json')
  expect(JSON.parse(rest.rows.join('\n'))).toMatchObject({
    sessions: [{ client: 'claude-code', session: 'e5', project: null, memories: 2 }],
    next_cursor: null,
  })
})

test('without conversations the list is empty, and it is refused for no assistant', async () => {
  const { machine } = await holding()
  expect((await list(machine)).stderr).toBe('No conversation was captured.\n')
  const refused = await machine.svc(['captures', 'list', '--client', 'No Assistant'])
  expect(refused).toMatchObject({ code: 2, stdout: '' })
})

test('a conversation is deleted as a whole and restored, by a prefix of its session', async () => {
  const { machine, user } = await holding(FIRST, SECOND)
  const thread = `codex:${FIRST.session}`
  const deleted = await machine.svc(['captures', 'delete', 'codex', '0199a3f2-7', '--yes'])
  expect(deleted).toEqual({
    code: 0,
    stdout: '',
    stderr: `Deleted 2 memories. To restore them within 30 days, run: svc captures restore codex ${FIRST.session}\n`,
  })
  expect([await live(user, thread), await live(user, `codex:${SECOND.session}`)]).toEqual([0, 2])
  expect((await list(machine)).rows[2]).toContain('0, 2 deleted')
  const again = await machine.svc(['captures', 'delete', 'codex', FIRST.session, '--yes'])
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('deleted already') })

  const restored = await machine.svc(['captures', 'restore', 'codex', '0199a3f2-7', '--json'])
  expect(JSON.parse(restored.stdout)).toEqual({
    client: 'codex',
    session: FIRST.session,
    restored: 2,
  })
  expect(restored.stderr).toBe('Restored 2 memories of the conversation with Codex in acme/shop.\n')
  expect(await live(user, thread)).toBe(2)
  expect(await machine.svc(['captures', 'restore', 'codex', FIRST.session])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('No memory of this conversation is deleted.'),
  })
})

test('a session that no conversation or several have is refused, and changes nothing', async () => {
  const { machine, user } = await holding(FIRST, SECOND, OTHER)
  const refusals = [
    [['codex', '0199a3f2-'], 2, '0199a3f2- is ambiguous: 2 sessions start with it.'],
    [['codex', '019'], 1, 'Captured conversation codex 019 does not exist.'],
    [['claude-code', FIRST.session], 1, 'Run: svc captures list'],
    [['codex', '../../etc'], 1, 'does not exist'],
  ] as const
  for (const [words, code, message] of refusals) {
    const refused = await machine.svc(['captures', 'delete', ...words, '--yes'])
    expect(refused).toMatchObject({ code, stderr: expect.stringContaining(message) })
  }
  expect(await live(user, `codex:${FIRST.session}`)).toBe(2)
})

test('at a terminal delete asks, and without one it needs --yes', async () => {
  const { machine, user } = await holding(OTHER)
  const typed = ['captures', 'delete', 'claude-code', 'e5']
  const refused = await machine.svc(typed)
  expect(refused).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`${typed.join(' ')} --yes`),
  })
  for (const [answer, left] of [
    ['n', 2],
    ['y', 0],
  ] as const) {
    const terminal = inTerminal(machine, typed)
    await terminal.sees(/Delete the 2 memories of the conversation with Claude Code\? \[y\/N\] /)
    terminal.type(`${answer}\r`)
    expect(await terminal.child.exited).toBe(0)
    expect(await live(user, 'claude-code:e5')).toBe(left)
  }
})

test('hostile names are printed as text, and the shell command quotes them', async () => {
  const session = `it's \x1b[31m"red" $(x)`
  const { machine } = await holding({ session, project: 'a\nb\x1b[2J' })
  const { rows } = await list(machine)
  expect(rows).toHaveLength(2)
  expect(rows.join('')).not.toContain('\x1b')
  const { stderr } = await machine.svc(['captures', 'delete', 'codex', session, '--yes'])
  expect(stderr).toContain(`restore codex 'it'\\''s`)
})

test('the assistant and the session complete in a shell', async () => {
  const { machine } = await holding(FIRST, OTHER)
  const completed = async (...words: string[]) =>
    (await machine.svc(['__complete', '--', 'captures', ...words])).stdout.trimEnd().split('\n')
  expect(await completed('delete', '')).toEqual(['codex\tCodex', 'claude-code\tClaude Code'])
  expect(await completed('list', '--client', 'cl')).toEqual(['claude-code\tClaude Code'])
  expect(await completed('restore', 'codex', '0199')).toEqual([`${FIRST.session}\tacme/shop`])
})

test('show, list and recall name who wrote a memory that is not of the user', async () => {
  const { machine, user } = await holding(OTHER)
  await user.client.call(remember, { body: { content: 'The harbour is in Lisbon.' } })
  const own = await machine.svc(['memories', 'list', '--search', 'harbour'])
  expect(own.stdout).not.toContain('TRUST')
  const all = (await machine.svc(['memories', 'list'])).stdout.trimEnd().split('\n')
  expect(all.map((row) => row.split(/ {2,}/).slice(1))).toEqual([
    ['DATE', 'TYPE', 'TRUST', 'MEMORY'],
    [expect.any(String), 'semantic', 'The harbour is in Lisbon.'],
    [expect.any(String), 'episodic', 'assistant', 'Noted.'],
    [expect.any(String), 'episodic', 'We deploy e5 to Hetzner.'],
  ])
  const show = async (row = '') => (await machine.svc(['show', row.split(' ')[0] ?? ''])).stdout
  expect(await show(all[2])).toMatch(
    /^source +Claude Code, by hook\ntrust +an assistant wrote this$/m,
  )
  expect(await show(all[3])).toMatch(/^source +Claude Code, by hook$/m)
  expect(await show(all[1])).not.toContain('trust')
  const recalled = await machine.svc(['recall', 'Noted'])
  expect(recalled.stdout).toMatch(
    /^Noted\.\n2026-01-30 09:30 UTC · assistant · an assistant wrote this · /m,
  )
})
