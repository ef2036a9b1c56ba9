import { expect, test } from 'bun:test'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { assistantNames } from '../../cli/assistants/clients.ts'
import { listMemories, remember } from '../../shared/contract/index.ts'
import { type TestUser, useSharedServer } from '../harness/server.ts'
import { type Machine, signedInMachine } from './svc.ts'

const server = useSharedServer()

const SESSION = '0199a3f2-7c1e-7b52-9d0e-4a8f6f1c2b3d'

/** A signed-in machine with a project folder. */
const startMachine = async () => {
  const { machine, user } = await signedInMachine(server.current)
  const folder = join(machine.env.HOME ?? '', 'shop')
  mkdirSync(join(folder, '.git'), { recursive: true })
  writeFileSync(
    join(folder, '.git/config'),
    '[remote "origin"]\n\turl = git@github.com:acme/shop.git\n',
  )
  return { machine, user, folder, hook: hookOf(machine, folder) }
}

/** Runs a hook with an event; each gets the fields that all events of the assistant have. */
const hookOf =
  (machine: Machine, cwd: string) =>
  (client: string, event: Record<string, unknown>, env: Record<string, string> = {}) =>
    machine.svc(['hook', client], {
      env,
      stdin: JSON.stringify({ session_id: SESSION, cwd, ...event }),
    })

const prompt = (text: string, more = {}) => ({
  hook_event_name: 'UserPromptSubmit',
  prompt: text,
  ...more,
})
const stop = (text: string | null, more = {}) => ({
  hook_event_name: 'Stop',
  last_assistant_message: text,
  ...more,
})

/** The stored memories, oldest first. */
const stored = async (user: TestUser) => {
  const { memories } = await user.client.call(listMemories, { query: { limit: 100 } })
  return memories.toReversed()
}
const textsOf = async (user: TestUser) => (await stored(user)).map((each) => each.content_text)

const spooled = ({ configDir }: Machine, folder = 'spool'): string[] => {
  try {
    return readdirSync(join(configDir, 'hooks', folder)).filter((name) => name.endsWith('.json'))
  } catch {
    return []
  }
}

const CLOSED = 'http://127.0.0.1:9'

test('a prompt is stored when it is submitted, and the answer at the end of the turn', async () => {
  const { hook, user } = await startMachine()
  const asked = await hook('codex', prompt('We deploy to Hetzner.', { turn_id: 'turn-1' }))
  expect(asked).toEqual({ code: 0, stdout: '', stderr: '' })
  expect(await textsOf(user)).toEqual(['We deploy to Hetzner.'])
  await hook('codex', stop('Noted.', { turn_id: 'turn-1' }))
  expect(await stored(user)).toMatchObject([
    {
      content_text: 'We deploy to Hetzner.',
      thread: `codex:${SESSION}`,
      position: 1,
      project: 'acme/shop',
      source: { kind: 'prompt', ref: 'hook:codex', trust: 'user' },
      metadata: { turn: 'turn-1' },
    },
    {
      content_text: 'Noted.',
      position: 2,
      author: 'assistant',
      source: { kind: 'answer', ref: 'hook:codex', trust: 'assistant' },
      metadata: { turn: 'turn-1' },
    },
  ])
})

test('a server that does not answer is asked once, and the turn waits for the next hook', async () => {
  const { machine, hook, user } = await startMachine()
  const paths: string[] = []
  using frozen = Bun.serve({
    port: 0,
    fetch: ({ url }) => {
      paths.push(new URL(url).pathname)
      return new Promise<Response>(() => {})
    },
  })
  const env = { SVC_URL: `http://localhost:${frozen.port}`, SVC_API_KEY: user.key }
  const { code, stdout } = await hook('codex', prompt('We deploy to Hetzner.'), env)
  expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
  expect(paths).toEqual(['/api/context'])
  expect(spooled(machine)).toHaveLength(1)
  await frozen.stop(true)
})

test.each([
  ['VS Code', { hookEventName: 'UserPromptSubmit', sessionId: SESSION }],
  ['Cursor', { conversation_id: SESSION, cursor_version: '3.0.0' }],
])('the hook of Claude Code stores nothing where %s runs it', async (_, form) => {
  const { hook, user } = await startMachine()
  const { code, stdout } = await hook('claude-code', prompt('We deploy to Hetzner.', form))
  expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
  expect(await textsOf(user)).toEqual([])
})

test.each([
  ['codex', prompt('Where do we deploy to?'), 'UserPromptSubmit'],
  ['claude-code', prompt('Where do we deploy to?'), 'UserPromptSubmit'],
  [
    'gemini-cli',
    { hook_event_name: 'BeforeAgent', prompt: 'Where do we deploy to?' },
    'BeforeAgent',
  ],
  [
    'opencode',
    { hook_event_name: 'chat.message', prompt: 'Where do we deploy to?' },
    'chat.message',
  ],
])('%s gets what is relevant for a prompt, in its form', async (client, event, name) => {
  const { hook, user } = await startMachine()
  await user.client.call(remember, { body: { content: 'We deploy to Hetzner in Helsinki.' } })
  const { code, stdout, stderr } = await hook(client, event)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const { hookSpecificOutput, ...others } = JSON.parse(stdout)
  expect(others).toEqual({})
  expect(hookSpecificOutput).toEqual({
    hookEventName: name,
    additionalContext: expect.stringContaining('Helsinki'),
  })
})

test('Cursor gets context at the start of a session, and the last text of a turn is stored', async () => {
  const { machine, user, folder } = await startMachine()
  await user.client.call(remember, { body: { content: 'The project acme/shop uses Bun.' } })
  const run = async (event: object) => {
    const input = { conversation_id: SESSION, generation_id: 'g1', workspace_roots: [folder] }
    const stdin = JSON.stringify({ ...input, ...event })
    return (await machine.svc(['hook', 'cursor'], { stdin })).stdout
  }
  const started = JSON.parse(await run({ hook_event_name: 'sessionStart' }))
  expect(started).toEqual({ additional_context: expect.stringContaining('Bun') })
  const asked = await run({ hook_event_name: 'beforeSubmitPrompt', prompt: 'Add a test.' })
  expect(JSON.parse(asked)).toEqual({ continue: true })
  await run({ hook_event_name: 'afterAgentResponse', text: 'I look first.' })
  await run({ hook_event_name: 'afterAgentResponse', text: 'The test is there.' })
  await run({ hook_event_name: 'stop', status: 'completed' })
  expect((await textsOf(user)).slice(1)).toEqual(['Add a test.', 'The test is there.'])
})

test('an assistant without ids of turns gets the number of the prompt, also after a resumption', async () => {
  const { hook, user, folder } = await startMachine()
  const transcript = join(folder, 'transcript.jsonl')
  const line = (type: string, content: unknown, more = {}) =>
    JSON.stringify({ type, message: { role: type, content }, ...more })
  writeFileSync(
    transcript,
    [
      line('user', 'First.'),
      line('assistant', [{ type: 'text', text: 'One.' }]),
      line('user', [{ type: 'tool_result', content: 'output' }]),
      line('user', '<system-reminder>added</system-reminder>'),
      line('user', 'A summary', { isCompactSummary: true }),
      line('user', 'Second.'),
      'no JSON "user"',
    ].join('\n'),
  )
  const more = { transcript_path: transcript }
  await hook('claude-code', prompt('Second.', more))
  await hook('claude-code', stop('Two.', more))
  await hook('claude-code', prompt('yes', more))
  await hook('claude-code', stop('Three.', more))
  await hook('claude-code', prompt('yes', more))
  const memories = await stored(user)
  expect(
    memories.map(({ content_text, metadata, position }) => [content_text, metadata.turn, position]),
  ).toEqual([
    ['Second.', '2', 3],
    ['Two.', '2', 4],
    ['yes', '3', 5],
    ['Three.', '3', 6],
    ['yes', '4', 7],
  ])
})

test('an answer that the input does not have is read from the transcript', async () => {
  const { hook, user, folder } = await startMachine()
  const transcript = join(folder, 'session.json')
  const messages = [
    { type: 'user', content: 'Which port?' },
    { type: 'gemini', content: [{ text: 'Port 3000.' }] },
  ]
  writeFileSync(transcript, JSON.stringify({ messages }))
  const more = { transcript_path: transcript }
  await hook('gemini-cli', { hook_event_name: 'AfterAgent', ...more })
  expect(await stored(user)).toMatchObject([{ content_text: 'Port 3000.', position: 2 }])
})

test('text that an assistant adds by itself is not stored', async () => {
  const { hook, user } = await startMachine()
  const added = '<environment_context>\n<cwd>/x</cwd>\n</environment_context>'
  await hook('codex', prompt(added))
  await hook('codex', stop('An answer to no prompt.'))
  await hook('codex', prompt('# AGENTS.md instructions for /x\n\n<INSTRUCTIONS>do</INSTRUCTIONS>'))
  await hook('codex', prompt('<svc-memory>\nold\n</svc-memory>'))
  await hook('codex', prompt(`${added}\nUse tabs. <b>Always</b>.\n<svc-memory>old</svc-memory>`))
  expect(await textsOf(user)).toEqual(['Use tabs. <b>Always</b>.'])
})

test('prompts that are added to a turn are stored, and a repeated event is stored once', async () => {
  const { hook, user } = await startMachine()
  for (const text of ['Start.', 'And more.', 'And more.', 'Start.'])
    await hook('codex', prompt(text, { turn_id: 't' }))
  await hook('codex', prompt('Of a subagent.', { turn_id: 'u', agent_id: 'a' }))
  const memories = await stored(user)
  expect(memories.map(({ content_text, metadata }) => [content_text, metadata.turn])).toEqual([
    ['Start.', 't'],
    ['And more.', 't:2'],
  ])
})

test('a turn that begins with #nomem is neither stored nor asked for', async () => {
  const { hook, user } = await startMachine()
  await user.client.call(remember, { body: { content: 'We deploy to Hetzner.' } })
  const { stdout } = await hook('codex', prompt('#nomem Where do we deploy to?', { turn_id: 'a' }))
  await hook('codex', stop('To Hetzner.', { turn_id: 'a' }))
  expect(stdout).toBe('')
  // Its end may have an id that its prompt did not have.
  await hook('claude-code', prompt('#nomem A secret.'))
  await hook('claude-code', stop('Of a secret.', { prompt_id: 'p' }))
  await hook('codex', prompt('Next.', { turn_id: 'b' }))
  await hook('codex', stop('Done.', { turn_id: 'b' }))
  expect(await textsOf(user)).toEqual(['We deploy to Hetzner.', 'Next.', 'Done.'])
})

test.each([
  ['off', '{"memory": "off"}', false, false],
  ['read', '{"memory": "read"}', true, false],
  ['on', '{"memory": "on"}', true, true],
  ['of a broken file', '{"memory"', false, false],
  ['that is unknown', '{"memory": "of"}', false, false],
])('a project with the memory %s in .svc.json', async (_, content, isGiven, isStored) => {
  const { hook, user, folder } = await startMachine()
  await user.client.call(remember, { body: { content: 'We deploy to Hetzner.' } })
  writeFileSync(join(folder, '.svc.json'), content)
  const below = join(folder, 'src')
  mkdirSync(below)
  const { stdout } = await hook('codex', prompt('Where do we deploy to?', { cwd: below }))
  await hook('codex', stop('To Helsinki.', { cwd: below }))
  expect(stdout.includes('Hetzner')).toBe(isGiven)
  expect((await textsOf(user)).includes('To Helsinki.')).toBe(isStored)
})

test('a subject that .svc.toml lists under never is neither stored nor searched for, and its project is named', async () => {
  const { hook, user, folder } = await startMachine()
  await user.client.call(remember, { body: { content: 'The salary of Ada is 5,000.' } })
  writeFileSync(join(folder, '.svc.toml'), 'project = "acme/store"\nnever = ["salary", "falcon"]')
  const { stdout } = await hook('codex', prompt('What is the Salary of Ada?', { turn_id: 'a' }))
  expect(stdout).toBe('')
  await hook('codex', stop('It is 5,000.', { turn_id: 'a' }))
  await hook('codex', prompt('We deploy to Hetzner.', { turn_id: 'b' }))
  await hook('codex', stop('Falcon is deployed, too.', { turn_id: 'b' }))
  expect(await stored(user)).toMatchObject([
    { content_text: 'The salary of Ada is 5,000.', project: null },
    { content_text: 'We deploy to Hetzner.', project: 'acme/store' },
  ])
})

test('secrets are replaced before a text is sent or spooled', async () => {
  const { hook, user, machine } = await startMachine()
  const token = `ghp_${'a1B2'.repeat(9)}`
  await hook('codex', prompt(`The token is ${token}.`), { SVC_URL: CLOSED })
  const [name = ''] = spooled(machine)
  const text = readFileSync(join(machine.configDir, 'hooks/spool', name), 'utf8')
  expect(text).toContain('[redacted: GitHub token]')
  expect(text).not.toContain(token)
  await hook('codex', stop(`I use ${token}.`))
  expect(await textsOf(user)).toContain('I use [redacted: GitHub token].')
})

const BAD_INPUT: [string, string | Uint8Array<ArrayBuffer>][] = [
  ['no input', ''],
  ['invalid JSON', '{"prompt": '],
  ['an array', '[1, 2]'],
  ['a number', '1e400'],
  ['null', 'null'],
  ['a text', '"UserPromptSubmit"'],
  ['no session', JSON.stringify(prompt('Hi'))],
  ['an empty session', JSON.stringify({ ...prompt('Hi'), session_id: '  ' })],
  ['fields of other types', JSON.stringify({ ...prompt('Hi'), session_id: 'a', prompt: { a: 1 } })],
  ['an unknown event', JSON.stringify({ hook_event_name: 'Nope', session_id: 'a', prompt: 'Hi' })],
  ['invalid UTF-8', new Uint8Array([0x7b, 0xff, 0xfe, 0x22])],
]

test.each(BAD_INPUT)('input that is %s has no effect and no output', async (_, stdin) => {
  const { machine, user } = await startMachine()
  for (const client of [...assistantNames, 'nope'])
    expect(await machine.svc(['hook', client], { stdin })).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    })
  expect(await textsOf(user)).toEqual([])
})

test('a prompt of 10 MB, one with invalid characters and a session with a path are stored', async () => {
  const { hook, user, machine } = await startMachine()
  const long = `${'The words of a long log. '.repeat(420_000)}`
  expect(await hook('codex', prompt(long))).toMatchObject({ code: 0, stderr: '' })
  await machine.svc(['spool'])
  expect((await stored(user)).length).toBeGreaterThan(10)
  const evil = { session_id: '../../../evil', transcript_path: '../../etc/passwd' }
  await hook('claude-code', prompt('A\u0000B \ud800 C', evil))
  const { thread, content_text } = (await stored(user)).at(-1) ?? {}
  expect({ thread, content_text }).toEqual({
    thread: 'claude-code:../../../evil',
    content_text: 'AB \ufffd C',
  })
  expect(readdirSync(machine.env.HOME ?? '').sort()).toEqual(['config', 'shop'])
})

test('sessions with any name have a file each, and their turns are stored', async () => {
  const { hook, user, machine } = await startMachine()
  const sessions = [
    'a\u0000b',
    '/',
    '..',
    'x'.repeat(300),
    '🙂'.repeat(90),
    'con',
    '-rf',
    'a\nb',
    '~',
  ]
  for (const [index, session_id] of sessions.entries())
    expect(
      await hook('codex', prompt(`Session ${index}.`, { session_id, turn_id: '1' })),
    ).toMatchObject({ code: 0, stderr: '' })
  await machine.svc(['spool'])
  expect((await textsOf(user)).toSorted()).toEqual(sessions.map((_, index) => `Session ${index}.`))
  expect(readdirSync(machine.env.HOME ?? '').sort()).toEqual(['config', 'shop'])
})

test('while the server is down turns wait, and the next hook delivers them in order, once', async () => {
  const { hook, user, machine } = await startMachine()
  // The address of the waiting turns is that of the server, which a proxy would refuse.
  const broken = { SVC_API_KEY: 'svc_invalid' }
  await hook('codex', prompt('One.', { turn_id: '1' }), broken)
  await hook('codex', stop('Two.', { turn_id: '1' }), broken)
  expect(spooled(machine)).toHaveLength(2)
  expect(await textsOf(user)).toEqual([])
  await hook('codex', prompt('Three.', { turn_id: '2' }))
  expect(await textsOf(user)).toEqual(['One.', 'Two.', 'Three.'])
  expect(spooled(machine)).toEqual([])
  const dir = join(machine.configDir, 'hooks')
  expect(statSync(dir).mode & 0o777).toBe(0o700)
})

test('hooks in parallel lose and double nothing', async () => {
  const { machine, user, folder } = await startMachine()
  const run = (session: string, turn: number) => {
    const event = prompt(`Prompt ${turn} of ${session}.`, {
      session_id: session,
      turn_id: `${turn}`,
    })
    return hookOf(machine, folder)('codex', event)
  }
  const runs = ['a', 'b', 'c', 'd'].flatMap((session) =>
    [1, 2, 3].map((turn) => run(session, turn)),
  )
  for (const { code, stderr } of await Promise.all(runs))
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  await machine.svc(['spool'])
  const texts = await textsOf(user)
  expect(texts).toHaveLength(12)
  expect(new Set(texts).size).toBe(12)
})

test('a settings directory that takes no spool does not stop the memory', async () => {
  const { hook, user, machine } = await startMachine()
  // A file in place of the folder fails for every account, a mode would not for root.
  writeFileSync(join(machine.configDir, 'hooks'), '')
  expect(await hook('codex', prompt('Still stored.', { turn_id: '1' }))).toMatchObject({
    code: 0,
    stderr: '',
  })
  expect(await textsOf(user)).toEqual(['Still stored.'])
})
