import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pinChatSession } from '../../shared/contract/index.ts'
import { useConversation } from '../conversation/support.ts'
import { eventually } from '../harness/eventually.ts'
import { breaksOff, echoes, fails, repeats, says, stalls } from '../harness/model-server.ts'
import { newUser } from '../harness/server.ts'
import { openInput } from './runtime.ts'
import { machineWithKey, readUntil } from './svc.ts'

const chats = useConversation({ SVC_CHAT_FALLBACK: 'none' })

/** A machine of a user with a verified email address. */
const chattingMachine = async () => {
  const user = await chats.newUser()
  const { machine } = await machineWithKey(chats.server, user)
  return { user, machine }
}

const sessionIn = (stderr: string) => /--session (\S+)/.exec(stderr)?.[1] ?? ''

test('chat prints the answer to stdout, and model and session to stderr', async () => {
  const { machine } = await chattingMachine()
  chats.model.always(says(['Ada ', 'drinks tea.']))
  const result = await machine.svc(['chat', '--provider', 'openai', 'What', 'does Ada drink?'], {
    stdin: '',
  })
  expect(result).toMatchObject({ code: 0, stdout: 'Ada drinks tea.\n' })
  expect(result.stderr).toMatch(
    /^a-model \(openai\)\nContinue with: svc chat --session [0-9a-f-]{36} "…"\n$/,
  )
  const quiet = await machine.svc(['chat', '--quiet', '--provider', 'openai', 'Hello.'])
  expect(quiet).toEqual({ code: 0, stdout: 'Ada drinks tea.\n', stderr: '' })
})

test('piped text is appended to the message of the arguments', async () => {
  const { machine } = await chattingMachine()
  chats.model.always(echoes)
  const both = await machine.svc(['chat', '--provider', 'openai', 'Sum', 'this up:'], {
    stdin: 'One.\nTwo.\n',
  })
  expect(both.stdout).toContain('Sum this up:\n\nOne.\nTwo.')
  const piped = await machine.svc(['chat', '--provider', 'openai'], { stdin: 'Only this.\n' })
  expect(piped.stdout).toContain('Only this.')
  expect(await machine.svc(['chat'], { stdin: ' \n' })).toMatchObject({ code: 2, stdout: '' })
})

test('a text that is too long for a message is sent as a file', async () => {
  const { machine } = await chattingMachine()
  const stdin = `The password of the shed is swordfish.\n${'Nothing else is known. '.repeat(2_000)}`
  const result = await machine.svc(['chat', '--provider', 'openai', 'Sum this up:'], { stdin })
  expect(result.code).toBe(0)
  const { body } = await chats.model.nextCall()
  expect(JSON.stringify(body.messages)).toContain('swordfish')
})

test('files are attached, and a missing file fails before any request', async () => {
  const { machine } = await chattingMachine()
  const path = join(machine.env.HOME ?? '', 'notes.txt')
  writeFileSync(path, 'The shed is painted green.')
  const args = ['chat', '--provider', 'openai', 'What colour?', '--file']
  expect((await machine.svc([...args, path])).code).toBe(0)
  const { body } = await chats.model.nextCall()
  expect(JSON.stringify(body.messages)).toContain('painted green')
  const missing = await machine.svc([...args, `${path}x`])
  expect(missing).toMatchObject({ code: 2, stdout: '' })
  expect(missing.stderr).toContain('Cannot read')
  expect(chats.model.calls).toHaveLength(1)
})

test('--session continues a session by id or `last`', async () => {
  const { machine } = await chattingMachine()
  const first = await machine.svc(['chat', 'My name is Ada.'])
  const session = sessionIn(first.stderr)
  const second = await machine.svc(['chat', '--session', session, 'And I like tea.'])
  expect(sessionIn(second.stderr)).toBe(session)
  const third = await machine.svc(['chat', '--session', 'last', 'What do I like?'])
  expect(sessionIn(third.stderr)).toBe(session)

  const listed = await machine.svc(['sessions', 'list'])
  expect(listed.stdout).toMatch(/^ID +CHANGED +MESSAGES +TITLE\n/)
  expect(listed.stdout).toMatch(new RegExp(`^${session}  \\S+  6 +My name is Ada`, 'm'))
  const shown = await machine.svc(['sessions', 'show', session])
  expect(shown.stdout).toContain('you · ')
  expect(shown.stdout.indexOf('My name is Ada.')).toBeLessThan(
    shown.stdout.indexOf('What do I like?'),
  )
  expect(await machine.svc(['sessions', 'show', 'last'])).toEqual(shown)
  const json = JSON.parse((await machine.svc(['sessions', 'show', session, '--json'])).stdout)
  expect(json).toMatchObject({ id: session, message_count: 6 })
  expect(json.messages).toHaveLength(6)
  const found = await machine.svc(['sessions', 'list', '--search', 'zeppelin'])
  expect(found).toMatchObject({ code: 0, stdout: '' })
})

test('`last` is the most recently changed session, not a pinned one', async () => {
  const { user, machine } = await chattingMachine()
  const pinned = sessionIn((await machine.svc(['chat', 'The shed.'])).stderr)
  const recent = sessionIn((await machine.svc(['chat', 'The boiler.'])).stderr)
  await user.client.call(pinChatSession, { params: { session_id: pinned } })
  const result = await machine.svc(['chat', '--session', 'last', 'And the roof.'])
  expect(sessionIn(result.stderr)).toBe(recent)
})

test('`last` without a session and an unknown session fail with a hint', async () => {
  const { machine } = await chattingMachine()
  const none = await machine.svc(['chat', '--session', 'last', 'Hello.'])
  expect(none).toMatchObject({ code: 1, stdout: '' })
  expect(none.stderr).toContain('svc chat "Hello."')
  const unknown = await machine.svc(['chat', '--session', crypto.randomUUID(), 'Hello.'])
  expect(unknown).toMatchObject({ code: 1, stdout: '' })
  expect(unknown.stderr).toContain('svc sessions list')
})

test.each([
  ['nosuch', 2, 'nosuch is not an ID.'],
  ['0197fdc2', 1, 'No session has an ID that starts with 0197fdc2.'],
  [
    '0197fdc2-0000-7000-8000-000000000000',
    1,
    'Session 0197fdc2-0000-7000-8000-000000000000 does not exist.',
  ],
])('chat --session %s fails without an offer to go on', async (id, code, message) => {
  const { machine } = await chattingMachine()
  const result = await machine.svc(['chat', '--session', id, 'Hello.'])
  expect(result).toMatchObject({ code, stdout: '' })
  expect(result.stderr).toStartWith(`error: ${message}\n`)
  expect(result.stderr).toEndWith('Run: svc sessions list\n')
})

test('--json prints one event per line', async () => {
  const { machine } = await chattingMachine()
  chats.model.always(says(['Hel', 'lo.']))
  const result = await machine.svc(['chat', '--provider', 'openai', '--json', 'Hi.'])
  const events = result.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(events.map(({ event }) => event)).toEqual(['start', 'memories', 'delta', 'delta', 'done'])
  expect(events.at(-1).data.message.content).toBe('Hello.')
})

test('an interrupted answer prints its text and an error', async () => {
  const { machine } = await chattingMachine()
  const received = Promise.withResolvers<void>()
  chats.model.always(breaksOff('Half of it', received.promise))
  const running = machine.start(['chat', '--provider', 'openai', 'Tell me all.'])
  const stdout = running.stdout.getReader()
  await readUntil(stdout, /Half of it/)
  received.resolve()
  await readUntil(stdout, /^\n$/)
  const { code, stderr } = await running.ended
  expect(code).toBe(1)
  expect(stderr).toContain('error: The answer was interrupted')
  expect(stderr).toContain('svc doctor')
  const shown = await machine.svc(['sessions', 'show', sessionIn(stderr)])
  expect(shown.stdout).toContain('interrupted')
})

test('Ctrl-C stops the answer and the model, and exits with 130', async () => {
  const { machine } = await chattingMachine()
  chats.model.always(stalls('Once upon a time'))
  const child = Bun.spawn(machine.command('chat', '--provider', 'openai', 'Tell a story.'), {
    env: machine.env,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const stdout = child.stdout.getReader()
  await readUntil(stdout, /Once upon a time/)
  const call = await chats.model.nextCall()
  child.kill('SIGINT')
  await call.disconnected
  expect(await child.exited).toBe(130)
  const stderr = await child.stderr.text()
  expect(stderr).toContain('Interrupted.')
  // The server stores the partial answer after it has noticed the disconnect.
  await eventually(async () =>
    (await machine.svc(['sessions', 'show', sessionIn(stderr)])).stdout.includes(
      'Once upon a time',
    ),
  )
})

test('a closed stdout stops the answer and the model without an error', async () => {
  const { machine } = await chattingMachine()
  chats.model.always(repeats('again and again\n'))
  const words = machine.command('chat', '--provider', 'openai', '--quiet', 'Go on.')
  const child = Bun.spawn(
    ['bash', '-c', 'set -o pipefail; "$0" "$@" < /dev/null | head -1', ...words],
    { env: machine.env, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' },
  )
  const call = await chats.model.nextCall()
  expect(await child.stdout.text()).toBe('again and again\n')
  expect(await child.stderr.text()).toBe('')
  expect(await child.exited).toBe(0)
  await call.disconnected
})

test('an open stdin without input prints a notice', async () => {
  const { machine } = await chattingMachine()
  const stdin = openInput()
  const running = machine.start(['chat', '--provider', 'openai', 'Hello.'], { stdin: stdin.input })
  await readUntil(running.stderr.getReader(), /add: < \/dev\/null/)
  await stdin.end()
  expect(await running.exited).toBe(0)
})

test('control characters of an answer do not reach the terminal', async () => {
  const { machine } = await chattingMachine()
  chats.model.always(says(['one \x1b', '[31mtwo \x1b]0;title\x07', 'three\r\n']))
  const result = await machine.svc(['chat', '--provider', 'openai', 'Hi.'])
  expect(result.stdout).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/)
  const shown = await machine.svc(['sessions', 'show', sessionIn(result.stderr)])
  expect(shown.stdout).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/)
})

test('chat needs a verified email address, and talk does not', async () => {
  const { machine } = await machineWithKey(chats.server, await newUser(chats.server))
  const result = await machine.svc(['chat', 'Hello.'])
  expect(result).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(
      /^error: Verify your email address first \(403\)\nTo get a link, open http\S+\/app\/settings\/email, or run: svc verify --resend\n$/,
    ),
  })
  expect((await machine.svc(['talk', 'Hello.'])).code).toBe(0)
})

test('a depth above the tier prints the required tier and the upgrade URL', async () => {
  const { machine } = await chattingMachine()
  const result = await machine.svc(['chat', '--depth', 'sage', 'Hello.'])
  expect(result).toMatchObject({ code: 1, stdout: '' })
  expect(result.stderr).toContain('This requires the tier conscious; the account has amnesiac')
  expect(result.stderr).toMatch(/Compare the tiers: http/)
})

test('talk sends a message as an agent and remembers the exchange', async () => {
  const { machine } = await chattingMachine()
  const args = ['talk', '--agent', 'release-notes', '--task', 'the release', '--scope', 'agent']
  const result = await machine.svc([...args, 'The release', 'is on Friday.'])
  expect(result.code).toBe(0)
  expect(result.stdout).not.toBe('')
  const found = await machine.svc(['recall', 'When is the release?', '--json'])
  expect(found.stdout).toContain('The release is on Friday.')
  const piped = await machine.svc(['talk', '--json'], { stdin: 'The build is green.\n' })
  const events = piped.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(events[0]).toMatchObject({ event: 'start', data: { agent_slug: 'default' } })
  expect(events.at(-1).event).toBe('done')
  expect(await machine.svc(['talk'], { stdin: '' })).toMatchObject({ code: 2, stdout: '' })
})

test('a failed model prints an error and nothing to stdout', async () => {
  const { machine } = await chattingMachine()
  chats.model.always(fails(400))
  const result = await machine.svc(['chat', '--provider', 'openai', 'Hello.'])
  expect(result).toMatchObject({ code: 1, stdout: '' })
  expect(result.stderr).toMatch(/^error: .*\n.*Run it again later/)
})
