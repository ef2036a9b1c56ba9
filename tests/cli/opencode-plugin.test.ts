import { expect, onTestFinished, test } from 'bun:test'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pluginText } from '../../cli/commands/connect/plugin.ts'
import { eventually } from '../harness/eventually.ts'

interface Part {
  id: string
  type: string
  text: string
  synthetic?: boolean
}

interface Plugin {
  'chat.message'(
    input: { sessionID: string },
    output: { message: { id: string }; parts: Part[] },
  ): Promise<void>
  event(input: { event: { type: string; properties: object } }): Promise<void>
}

/** The plugin with a program in place of svc, which notes its input and prints an answer. */
const startPlugin = async (answer: string, parentID?: string) => {
  const directory = mkdtempSync(join(tmpdir(), 'svc-plugin-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  const at = (name: string) => join(directory, name)
  const program = `#!/bin/sh
input=$(cat)
printf '%s\\n' "$MARK $* $input" >> ${at('calls')}
printf '%s' '${answer}'
`
  writeFileSync(at('svc'), program)
  chmodSync(at('svc'), 0o755)
  writeFileSync(at('plugin.mjs'), pluginText({ command: [at('svc')], variables: { MARK: 'm' } }))
  const { SvcMemory } = await import(at('plugin.mjs'))
  const client = { session: { get: async () => ({ data: { parentID } }) } }
  const plugin: Plugin = await SvcMemory({ client, directory })
  const calls = (): { words: string; input: object }[] =>
    existsSync(at('calls'))
      ? readFileSync(at('calls'), 'utf8')
          .split('\n')
          .filter(Boolean)
          .map((line) => ({
            words: line.slice(0, line.indexOf(' {')),
            input: JSON.parse(line.slice(line.indexOf('{'))),
          }))
      : []
  return { plugin, directory, calls, removeProgram: () => rmSync(at('svc')) }
}

const promptParts = (): Part[] => [
  { id: 'prt_1', type: 'text', text: 'Where do I live?' },
  { id: 'prt_2', type: 'text', text: 'The content of a file', synthetic: true },
]

const ask = async (plugin: Plugin) => {
  const parts = promptParts()
  await plugin['chat.message']({ sessionID: 'ses_1' }, { message: { id: 'msg_1' }, parts })
  return parts
}

const finish = async (plugin: Plugin) => {
  const send = (type: string, properties: object) => plugin.event({ event: { type, properties } })
  const part = { type: 'text', sessionID: 'ses_1' }
  const info = { role: 'assistant', sessionID: 'ses_1', parentID: 'msg_1' }
  await send('message.updated', { info: { ...info, id: 'msg_2' } })
  await send('message.part.updated', {
    part: { ...part, id: 'prt_3', messageID: 'msg_2', text: 'I look it up.' },
  })
  await send('message.updated', { info: { ...info, id: 'msg_3' } })
  for (const text of ['In', 'In Lisbon.'])
    await send('message.part.updated', { part: { ...part, id: 'prt_4', messageID: 'msg_3', text } })
  await send('session.idle', { sessionID: 'ses_1' })
}

const ANSWER = JSON.stringify({
  hookSpecificOutput: { hookEventName: 'chat.message', additionalContext: 'Ada lives in Lisbon.' },
})

test('a prompt gets the context as a part of its own, and its text stays', async () => {
  const { plugin, directory, calls } = await startPlugin(ANSWER)
  const parts = await ask(plugin)
  expect(parts.slice(0, 2)).toEqual(promptParts())
  expect(parts.slice(2)).toEqual([
    expect.objectContaining({ type: 'text', text: 'Ada lives in Lisbon.', synthetic: true }),
  ])
  expect(parts.map(({ id }) => id)).toEqual(parts.map(({ id }) => id).sort())
  const turn = { session_id: 'ses_1', cwd: directory, turn_id: 'msg_1' }
  expect(calls()).toEqual([
    { words: 'm hook opencode chat.message', input: { ...turn, prompt: 'Where do I live?' } },
  ])
})

test('the last text of the assistant is reported at the end of the turn', async () => {
  const { plugin, directory, calls } = await startPlugin('')
  expect(await ask(plugin)).toEqual(promptParts())
  await finish(plugin)
  await eventually(() => calls().length === 2)
  const turn = { session_id: 'ses_1', cwd: directory, turn_id: 'msg_1' }
  expect(calls()[1]).toEqual({
    words: 'm hook opencode session.idle',
    input: { ...turn, last_assistant_message: 'In Lisbon.' },
  })
})

test('a compaction is reported before the next prompt is asked for', async () => {
  const { plugin, directory, calls } = await startPlugin('')
  await plugin.event({
    event: { type: 'session.compacted', properties: { sessionID: 'ses_1' } },
  })
  await ask(plugin)
  expect(calls().map(({ words }) => words)).toEqual([
    'm hook opencode session.compacted',
    'm hook opencode chat.message',
  ])
  expect(calls()[0]?.input).toEqual({ session_id: 'ses_1', cwd: directory })
})

test('the session of a subagent is neither asked for nor reported', async () => {
  const { plugin, calls } = await startPlugin(ANSWER, 'ses_0')
  expect(await ask(plugin)).toEqual(promptParts())
  await finish(plugin)
  expect(calls()).toEqual([])
})

test.each(['not JSON', '[]', '{}', 'null'])('the output %j changes no prompt', async (output) => {
  const { plugin } = await startPlugin(output)
  expect(await ask(plugin)).toEqual(promptParts())
})

test('OpenCode works without svc', async () => {
  const { plugin, removeProgram } = await startPlugin(ANSWER)
  removeProgram()
  expect(await ask(plugin)).toEqual(promptParts())
  await finish(plugin)
})
