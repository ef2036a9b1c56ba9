import { expect, test } from 'bun:test'
import { createClient } from '../../clients/npm/index.ts'
import { newVerifiedUser } from '../harness/http.ts'
import { useSharedServer } from '../harness/server.ts'

const server = useSharedServer()

/** The methods with a file have it as a field, which the types of the contract do not have. */
const connect = async () => {
  const { key } = await newVerifiedUser(server.current)
  const { methods } = createClient({ baseUrl: server.current.url, apiKey: key })
  const withFile = <A, R>(method: (args: A) => R, args: Omit<A, 'file'> & { file: unknown }): R =>
    method(args as A)
  return { methods, withFile }
}

test('a file is uploaded in a form and downloaded as a blob', async () => {
  const { methods, withFile } = await connect()
  const file = new File(['Ada drinks green tea.'], 'tea.txt', { type: 'text/plain' })
  const stored = await withFile(methods.uploadFile, { file })
  expect(stored.name).toBe('tea.txt')
  const content = (await methods.getFileContent({ file_id: stored.id })) as unknown as Blob
  expect(await content.text()).toBe('Ada drinks green tea.')
})

test('memories are exported as a stream of values, and imported from a stream', async () => {
  const { methods } = await connect()
  await methods.rememberBatch({
    memories: [{ content: 'Ada drinks green tea.' }, { content: 'Bob lives in Porto.' }],
  })
  const lines: unknown[] = []
  for await (const line of await methods.exportMemories({})) lines.push(line)
  expect(lines.length).toBeGreaterThanOrEqual(2)

  const other = await connect()
  const file = new Blob([lines.map((line) => JSON.stringify(line)).join('\n')]).stream()
  await other.withFile(other.methods.importMemories, { file })
  const { memories } = await other.methods.listMemories({})
  expect(memories.map(({ content_text }) => content_text).toSorted()).toEqual([
    'Ada drinks green tea.',
    'Bob lives in Porto.',
  ])
})
