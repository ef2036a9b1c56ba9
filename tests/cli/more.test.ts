import { expect, test } from 'bun:test'
import { archiveChatSession, listChatSessions, remember } from '../../shared/contract/index.ts'
import { useConversation } from '../conversation/support.ts'
import { type Ended, type Machine, machineWithKey } from './svc.ts'

const chats = useConversation()

/** The command of the hint for more rows. */
const hintOf = ({ stderr }: Ended) => /^For [\w ]+, run: (.*)$/m.exec(stderr)?.[1] ?? ''

/** Runs a command with the words that a shell reads in it, as the user does who copies it. */
const paste = async (machine: Machine, line: string): Promise<Ended> => {
  const script = `svc() { printf '%s\\0' "$@"; }\n${line}`
  const words = Bun.spawnSync(['sh', '-c', script], { env: machine.env }).stdout.toString()
  return machine.svc(words.split('\0').slice(0, -1))
}

const rowsOf = ({ stdout }: Ended) =>
  stdout
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((row) => row.split(/ {2,}/)[3])

test('the hint of memories list repeats its filters, quoted, and the server', async () => {
  const user = await chats.newUser()
  const { machine } = await machineWithKey(chats.server, user)
  const thread = `Ada's "plan"; echo $HOME`
  const common = { memory_type: 'preference', thread } as const
  for (const content of ['One.', 'Two.', 'Three.'])
    await user.client.call(remember, { body: { ...common, content } })
  await user.client.call(remember, { body: { ...common, content: 'Other.', thread: 'other' } })
  await user.client.call(remember, { body: { ...common, content: 'F.', memory_type: 'semantic' } })

  const filters = ['--limit', '1', '--type', 'preference', '--thread', thread]
  const first = await machine.svc(['--url', chats.server.url, 'memories', 'list', ...filters])
  expect(rowsOf(first)).toEqual(['Three.'])
  machine.env.SVC_URL = 'http://127.0.0.1:1'
  const second = await paste(machine, hintOf(first))
  expect(rowsOf(second)).toEqual(['Two.'])
  const third = await paste(machine, hintOf(second))
  expect(rowsOf(third)).toEqual(['One.'])
  expect(hintOf(third)).toBe('')
})

test('the hint of sessions list repeats its filters', async () => {
  const user = await chats.newUser()
  const { machine } = await machineWithKey(chats.server, user)
  for (const text of ['The old boiler.', 'The shed.', "Ben's old boiler.", 'A new boiler.'])
    await machine.svc(['chat', text])
  const sessions = await user.client.call(listChatSessions, { query: {} })
  for (const { id, title } of sessions)
    if (title !== 'The shed.')
      await user.client.call(archiveChatSession, { params: { session_id: id } })

  const filters = ['--limit', '1', '--search', 'old boiler', '--archived']
  const first = await machine.svc(['sessions', 'list', ...filters])
  expect(rowsOf(first)).toEqual(["Ben's old boiler."])
  const second = await paste(machine, hintOf(first))
  expect(rowsOf(second)).toEqual(['The old boiler.'])
  const third = await paste(machine, hintOf(second))
  expect(third).toMatchObject({ code: 0, stdout: '' })
})

test('the hint of sessions show repeats its limit', async () => {
  const { machine } = await machineWithKey(chats.server, await chats.newUser())
  await machine.svc(['chat', 'The shed.'])
  const last = await machine.svc(['sessions', 'show', 'last', '--limit', '1'])
  const earlier = await paste(machine, hintOf(last))
  expect(earlier.stdout.match(/ · /g)).toHaveLength(1)
  expect(earlier.stdout).toEndWith('\nThe shed.\n')
})
