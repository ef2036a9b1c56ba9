import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { useConversation } from '../conversation/support.ts'
import { says } from '../harness/model-server.ts'
import { machineWithKey } from './svc.ts'

const chats = useConversation()

const remembering = async (...texts: string[]) => {
  const { machine } = await machineWithKey(chats.server, await chats.newUser())
  for (const text of texts) await machine.svc(['remember', '--tag', 'shed', text])
  return machine
}

test('--jq prints what an expression selects, with texts as they are', async () => {
  const machine = await remembering('The "shed" is green.', 'Two.\nLines.')
  const texts = await machine.svc(['memories', 'list', '--jq', '.memories[].content_text'])
  expect(texts).toEqual({ code: 0, stdout: 'Two.\nLines.\nThe "shed" is green.\n', stderr: '' })
  const counts = await machine.svc([
    ...['memories', 'list', '--jq', '[.memories[] | {tags, size: (.content_text | length)}]'],
  ])
  expect(JSON.parse(counts.stdout)).toEqual([
    { tags: ['shed'], size: 11 },
    { tags: ['shed'], size: 20 },
  ])
  const nothing = await machine.svc(['memories', 'list', '--jq', 'empty'])
  expect(nothing).toEqual({ code: 0, stdout: '', stderr: '' })
})

test('--template prints the JSON with a template', async () => {
  const machine = await remembering('The <shed> is green.')
  const lines = await machine.svc([
    ...['memories', 'list', '--template'],
    '{{#each memories}}{{content_text}}\\t{{json tags}}{{#if thread}} {{thread}}{{/if}}\\n{{/each}}',
  ])
  expect(lines).toEqual({ code: 0, stdout: 'The <shed> is green.\t["shed"]\n', stderr: '' })
  const profiles = await machine.svc(['profiles', '--template', '{{#each .}}{{name}};{{/each}}'])
  expect(profiles.stdout).toBe('default;\n')
})

test('both apply to each event of a stream and to each line of an export', async () => {
  const machine = await remembering('The shed is green.')
  chats.model.always(says(['Hel', 'lo.']))
  const deltas = await machine.svc([
    ...['chat', '--provider', 'openai', 'Hi.', '--jq', 'select(.event == "delta").data.text'],
  ])
  expect(deltas).toMatchObject({ code: 0, stdout: 'Hel\nlo.\n' })
  const exported = await machine.svc(['export', '--template', '{{content_text}}'])
  expect(exported).toMatchObject({ code: 0, stderr: '' })
  expect(exported.stdout).toContain('The shed is green.\n')
})

test.each([
  [['--jq', '.memories['], '--jq is not a valid expression: syntax error'],
  [['--jq', 'nonsense'], '--jq is not a valid expression: nonsense/0 is not defined'],
  [['--template', '{{#each}'], '--template is not valid: Parse error'],
  [
    ['--jq', '.', '--template', 'x'],
    "option '--jq <expression>' cannot be used with option '--template",
  ],
])('%j is refused before the command runs', async (options, message) => {
  const machine = await remembering('The shed is green.')
  const file = join(machine.env.HOME ?? '', 'out.ndjson')
  const result = await machine.svc(['export', file, ...options])
  expect(result).toMatchObject({ code: 2, stdout: '' })
  expect(result.stderr).toStartWith(`error: ${message}`)
  expect(existsSync(file)).toBe(false)
})

test('an expression or template that fails on the value exits with 1', async () => {
  const machine = await remembering('The shed is green.')
  const result = await machine.svc(['memories', 'list', '--jq', '.memories.id'])
  expect(result).toMatchObject({ code: 1, stdout: '' })
  expect(result.stderr).toStartWith('error: --jq failed: Cannot index array with')
  const missing = await machine.svc(['memories', 'list', '--template', '{{memory.id}}'])
  expect(missing).toMatchObject({ code: 1, stdout: '' })
  expect(missing.stderr).toStartWith('error: --template failed: "id" not defined')
})

test('control characters of a memory do not reach the terminal', async () => {
  const machine = await remembering('The \u001b[31mshed\u009b is green.')
  for (const options of [
    ['--jq', '.memories[].content_text'],
    ['--template', '{{memories.0.content_text}}'],
  ])
    expect((await machine.svc(['memories', 'list', ...options])).stdout).toBe(
      'The shed is green.\n',
    )
})
