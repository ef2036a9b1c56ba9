import { expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { useConversation } from '../conversation/support.ts'
import { echoes, says, stalls } from '../harness/model-server.ts'
import { inSystemTerminal, inTerminal, type Machine, machineWithKey } from './svc.ts'

const chats = useConversation()

setDefaultTimeout(60_000)

const CTRL_C = '\x03'
const CTRL_D = '\x04'

const chattingMachine = async () =>
  (await machineWithKey(chats.server, await chats.newUser())).machine

/** `svc chat` at a terminal, at its first prompt. */
const conversation = async (machine: Machine) => {
  const terminal = inTerminal(machine, ['chat', '--provider', 'openai'])
  await terminal.sees(/› /)
  return terminal
}

test('an interactive chat stays in one session until Ctrl-D, then prints how to continue', async () => {
  const machine = await chattingMachine()
  chats.model.next(says(['Hello ', 'Ada.']), says('Tea.'))
  const { child, type, sees, seen } = await conversation(machine)
  type('My name is Ada.\r')
  await sees(/Hello Ada\.\r\n/)
  await sees(/› /)
  type('What do I drink?\r')
  await sees(/Tea\.\r\n/)
  await sees(/› /)
  type('/session\r')
  const [, session] = await sees(/([0-9a-f-]{36})/)
  await sees(/› /)
  type(CTRL_D)
  expect(await child.exited).toBe(0)
  expect(seen()).toContain(`Continue with: svc chat --session ${session}`)
  const shown = await machine.svc(['sessions', 'show', session ?? '', '--json'])
  expect(JSON.parse(shown.stdout).messages).toHaveLength(4)
})

test('Ctrl-C stops the answer and the model, and the chat continues', async () => {
  const machine = await chattingMachine()
  chats.model.next(stalls('Once upon a time'), says('The end.'))
  const { child, type, sees } = await conversation(machine)
  type('Tell a story.\r')
  await sees(/Once upon a time/)
  const call = await chats.model.nextCall()
  type(CTRL_C)
  await call.disconnected
  await sees(/Stopped\./)
  await sees(/› /)
  type('And then?\r')
  await sees(/The end\./)
  await sees(/› /)
  type(CTRL_C)
  await sees(/again to exit/)
  // Before the prompt is shown again, Ctrl-C is a signal, which ends svc without the hint.
  await sees(/› /)
  type(CTRL_C)
  await sees(/Continue with: svc chat --session [0-9a-f-]{36}[\s\S]*Interrupted\./)
  expect(await child.exited).toBe(130)
})

test('SIGTERM at the prompt restores the terminal', async () => {
  const terminal = inSystemTerminal(await chattingMachine(), ['chat', '--provider', 'openai'])
  const { child, seen } = terminal
  await terminal.sees(/› /)
  child.kill('SIGTERM')
  expect(await child.exited).toBe(130)
  expect(seen()).toMatch(/\x1b\[\?2004h[\s\S]*Interrupted\.[\s\S]*\x1b\[\?2004l$/)
})

test('input during an answer is kept for the next prompt', async () => {
  const machine = await chattingMachine()
  const received = Promise.withResolvers<void>()
  chats.model.next(async (response) => {
    await received.promise
    says('First.')(response)
  }, says('Second.'))
  const { child, type, sees } = await conversation(machine)
  type('One.\r')
  await chats.model.nextCall()
  type('Two.\r')
  received.resolve()
  await sees(/First\./)
  await sees(/Second\./)
  await sees(/› /)
  type(CTRL_D)
  expect(await child.exited).toBe(0)
})

test('pasted lines and lines that end with a backslash are one message', async () => {
  const machine = await chattingMachine()
  chats.model.always(echoes)
  const { child, type, sees } = await conversation(machine)
  type('\x1b[200~one\rtwo\r\x1b[201~three\r')
  await sees(/one\r\ntwo\r\nthree\r\n[\s\S]*a-model/)
  type('four\\\r')
  await sees(/… /)
  type('five\r')
  await sees(/four\r\nfive\r\n[\s\S]*a-model/)
  type('/exit\r')
  expect(await child.exited).toBe(0)
})

test('the arrow keys recall earlier messages from a private file', async () => {
  const machine = await chattingMachine()
  const first = await conversation(machine)
  first.type('What is the answer?\r')
  await first.sees(/Hello\./)
  await first.sees(/› /)
  first.type(CTRL_D)
  await first.child.exited
  const path = join(machine.configDir, 'chat_history')
  expect(readFileSync(path, 'utf8')).toBe('What is the answer?\n')
  expect(statSync(path).mode & 0o777).toBe(0o600)
  chats.model.always(echoes)
  const second = await conversation(machine)
  second.type('\x1b[A\r')
  await second.sees(
    /What is the answer\?[\s\S]*Waiting for the answer[\s\S]*What is the answer\?\r\n/,
  )
  await second.sees(/› /)
  second.type(CTRL_D)
  expect(await second.child.exited).toBe(0)
})

test('/new starts a new session, and an unknown command prints the help', async () => {
  const machine = await chattingMachine()
  const { child, type, sees } = await conversation(machine)
  type('Hi.\r')
  await sees(/Hello\./)
  await sees(/› /)
  type('/session\r')
  const [, first] = await sees(/([0-9a-f-]{36})/)
  type('/new\r')
  await sees(/starts a new session/)
  await sees(/› /)
  type('/sesion\r')
  await sees(/Unknown command: \/sesion\. Did you mean \/session\?[\s\S]*\/provider NAME[\s\S]*› /)
  type('/depth deepest\r')
  await sees(/Unknown depth: deepest\.[\s\S]*› /)
  type('/provider\r')
  await sees(/\/provider needs a name\.[\s\S]*› /)
  type('/depth quick\r')
  await sees(/Depth changed to quick[\s\S]*› /)
  type('/provider local\r')
  await sees(/Provider changed to local[\s\S]*› /)
  type('Hi again.\r')
  await sees(/local/)
  await sees(/› /)
  type('/session\r')
  const [, second] = await sees(/([0-9a-f-]{36})/)
  expect(second).not.toBe(first)
  await sees(/› /)
  type(CTRL_D)
  expect(await child.exited).toBe(0)
})

test('an unreachable server prints an error, and the chat continues', async () => {
  const machine = await chattingMachine()
  const { key } = await chats.newUser()
  machine.env.SVC_URL = 'http://127.0.0.1:1'
  machine.env.SVC_API_KEY = key
  const { child, type, sees } = await conversation(machine)
  type('Hello.\r')
  await sees(/error: No answer from http:\/\/127\.0\.0\.1:1 /)
  await sees(/› /)
  type(CTRL_D)
  expect(await child.exited).toBe(0)
})

test('a provider that is not available is reported with the nearest name', async () => {
  const machine = await chattingMachine()
  const WARNING = 'warning: opnai is not available, so openai answered. Did you mean openai?\n'
  for (const options of [[], ['--json']]) {
    const result = await machine.svc(['chat', '--provider', 'opnai', 'Hello.', ...options])
    expect(result.code).toBe(0)
    expect(result.stderr).toContain(WARNING)
  }
  const known = await machine.svc(['chat', '--provider', 'openai', 'Hello.'])
  expect(known.stderr).not.toContain('Warning')
})

test('with --json or without a terminal a message is required', async () => {
  const machine = await chattingMachine()
  const { child, seen } = inTerminal(machine, ['chat', '--json'])
  expect(await child.exited).toBe(2)
  expect(seen()).toContain('Run: svc chat "')
})
