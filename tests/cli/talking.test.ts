import { expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { echoes, says, stalls } from '../harness/model-server.ts'
import { useConversation } from '../http/chat-support.ts'
import { inTerminal, type Machine, machineWithKey } from './svc.ts'

const chats = useConversation()

setDefaultTimeout(60_000)

const CTRL_C = '\x03'
const CTRL_D = '\x04'

const chattingMachine = async () =>
  (await machineWithKey(chats.server, await chats.newUser())).machine

/** `svc chat` at the terminal, when it asks for the first message. */
const conversation = async (machine: Machine) => {
  const terminal = inTerminal(machine, ['chat', '--provider', 'openai'])
  await terminal.sees(/› /)
  return terminal
}

test('a conversation goes on in one session until Ctrl-D, and says how to go on', async () => {
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
  expect(seen()).toContain(`Go on with: svc chat --session ${session}`)
  const shown = await machine.svc(['sessions', 'show', session ?? '', '--json'])
  expect(JSON.parse(shown.stdout).messages).toHaveLength(4)
})

test('Ctrl-C ends the answer, at the model too, and the conversation goes on', async () => {
  const machine = await chattingMachine()
  chats.model.next(stalls('Once upon a time'), says('The end.'))
  const { child, type, sees } = await conversation(machine)
  type('Tell a story.\r')
  await sees(/Once upon a time/)
  const call = await chats.model.nextCall()
  type(CTRL_C)
  await call.left
  await sees(/Stopped\./)
  await sees(/› /)
  type('And then?\r')
  await sees(/The end\./)
  await sees(/› /)
  type(CTRL_C)
  await sees(/again to leave/)
  type(CTRL_C)
  await sees(/Go on with: svc chat --session [0-9a-f-]{36}[\s\S]*Interrupted\./)
  expect(await child.exited).toBe(130)
})

test('told to end at the prompt, it leaves the terminal as it was', async () => {
  const { child, seen } = await conversation(await chattingMachine())
  child.kill('SIGTERM')
  expect(await child.exited).toBe(130)
  expect(seen()).toMatch(/\x1b\[\?2004h[\s\S]*Interrupted\.[\s\S]*\x1b\[\?2004l$/)
})

test('what is typed during an answer waits for the prompt', async () => {
  const machine = await chattingMachine()
  const heard = Promise.withResolvers<void>()
  chats.model.next(async (response) => {
    await heard.promise
    says('First.')(response)
  }, says('Second.'))
  const { child, type, sees } = await conversation(machine)
  type('One.\r')
  await chats.model.nextCall()
  type('Two.\r')
  heard.resolve()
  await sees(/First\./)
  await sees(/Second\./)
  await sees(/› /)
  type(CTRL_D)
  expect(await child.exited).toBe(0)
})

test('pasted lines are one message, and so are lines that end with a backslash', async () => {
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

test('what was typed is there again with the arrow keys, and for its owner alone to read', async () => {
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
  await second.sees(/What is the answer\?[\s\S]*Thinking[\s\S]*What is the answer\?\r\n/)
  await second.sees(/› /)
  second.type(CTRL_D)
  expect(await second.child.exited).toBe(0)
})

test('/new begins another session, and what is no command shows those there are', async () => {
  const machine = await chattingMachine()
  const { child, type, sees } = await conversation(machine)
  type('Hi.\r')
  await sees(/Hello\./)
  await sees(/› /)
  type('/session\r')
  const [, first] = await sees(/([0-9a-f-]{36})/)
  type('/new\r')
  await sees(/A new session/)
  await sees(/› /)
  type('/sesion\r')
  await sees(/There is no \/sesion\. Did you mean \/session\?[\s\S]*\/provider NAME[\s\S]*› /)
  type('/depth deepest\r')
  await sees(/There is no depth deepest\.[\s\S]*› /)
  type('/provider\r')
  await sees(/\/provider takes a name\.[\s\S]*› /)
  type('/depth quick\r')
  await sees(/the depth is quick[\s\S]*› /)
  type('/provider local\r')
  await sees(/local answers[\s\S]*› /)
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

test('a server that is gone is told, and the conversation goes on', async () => {
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

test('with --json, and without anybody to ask, there has to be something to say', async () => {
  const machine = await chattingMachine()
  const { child, seen } = inTerminal(machine, ['chat', '--json'])
  expect(await child.exited).toBe(2)
  expect(seen()).toContain('Run: svc chat "')
})
