import { describe, expect, test } from 'bun:test'
import { listConflicts, listMemories, remember } from '../../shared/contract/index.ts'
import { factsOf } from '../harness/facts.ts'
import { type TestUser, useSharedServer } from '../harness/server.ts'
import {
  type Answer,
  type Asked,
  capableWays,
  connectCapable,
  postCall,
  withMemory,
} from './capable-client.ts'
import { textOf } from './client.ts'

const server = useSharedServer()

/** The number of contradictions, once the facts of all memories have been read. */
const countConflicts = async ({ client }: TestUser): Promise<number> => {
  const { memories } = await client.call(listMemories, { query: {} })
  for (const { memory_id } of memories) await factsOf(client, memory_id)
  return (await client.call(listConflicts)).conflicts.length
}

describe('a memory that contradicts another one', () => {
  const contents = ['I live in Lisbon.', 'I live in Porto.'] as const

  for (const [name, connect, over] of capableWays) {
    test(`${name}: the user chooses which one holds`, async () => {
      const { user, memory_id: first } = await withMemory(server.current, contents[0])
      const asked: Asked[] = []
      await using mcp = await connect(server.current, user.key, {
        over,
        answer(question) {
          asked.push(question)
          return { action: 'accept', content: { choice: 'Lisbon' } }
        },
      })
      const result = await mcp.client.callTool({
        name: 'remember',
        arguments: { content: contents[1] },
      })
      expect(asked).toHaveLength(1)
      expect(asked[0]?.message).toContain('- Porto: “I live in Porto.”')
      expect(asked[0]?.requestedSchema.properties.choice?.enum).toEqual([
        'Porto',
        'Lisbon',
        'Keep both',
      ])
      expect(textOf(result)).toContain('; the user chose "Lisbon"')
      expect(result.structuredContent).toMatchObject({ superseded_by: first, deduplicated: false })
      expect(await countConflicts(user)).toBe(0)
      const { memories } = await user.client.call(listMemories, { query: {} })
      expect(memories.filter(({ content_text }) => content_text === contents[1])).toHaveLength(1)
    })
  }

  test('the user keeps both, or skips the question, and both memories stay', async () => {
    const answers: Answer[] = [
      { action: 'accept', content: { choice: 'Keep both' } },
      { action: 'decline' },
      { action: 'accept', content: { choice: 5 } },
      // Values that were not shown.
      { action: 'accept', content: { choice: 'Oslo' } },
      { action: 'accept', content: { choice: 'x'.repeat(500_000) } },
    ]
    for (const answer of answers) {
      const { user } = await withMemory(server.current, contents[0])
      await using mcp = await connectCapable(server.current, user.key, {
        over: 'http',
        answer: () => answer,
      })
      const call = { name: 'remember', arguments: { content: contents[1] } }
      const result = await mcp.client.callTool(call)
      expect(result.isError).toBeFalsy()
      expect(result.structuredContent).not.toHaveProperty('superseded_by')
      expect(await countConflicts(user)).toBe(1)
    }
  })

  test('a correction that contradicts another memory asks too', async () => {
    const { user } = await withMemory(server.current, contents[0])
    const { memory_id } = await user.client.call(remember, { body: { content: 'I live here.' } })
    await using mcp = await connectCapable(server.current, user.key, {
      over: 'http',
      answer: () => ({ action: 'accept', content: { choice: 'Porto' } }),
    })
    const result = await mcp.client.callTool({
      name: 'update',
      arguments: { memory_id, content: contents[1] },
    })
    expect(result.structuredContent).toMatchObject({ memory_id, changed: true })
    expect(textOf(result)).toContain('; the user chose "Porto"')
    expect(await countConflicts(user)).toBe(0)
  })

  test('a client without elicitation stores it without a question', async () => {
    const { user } = await withMemory(server.current, contents[0])
    await using mcp = await connectCapable(server.current, user.key, { over: 'http' })
    const call = { name: 'remember', arguments: { content: contents[1] } }
    const result = await mcp.client.callTool(call)
    expect(result.structuredContent).not.toHaveProperty('settled')
    expect(await countConflicts(user)).toBe(1)
  })

  test('the answer to one call does not stand for another one with other arguments', async () => {
    const { user } = await withMemory(server.current, contents[0])
    const call = (content: string, round?: object) =>
      postCall(server.current, user.key, { name: 'remember', input: { content }, round })
    const { result } = await call(contents[1])
    expect(result.resultType).toBe('input_required')
    const round = {
      requestState: result.requestState,
      inputResponses: { answer: { action: 'accept', content: { choice: 'Porto' } } },
    }
    const other = await call('The boat is blue.', round)
    expect(other.result.structuredContent).toMatchObject({ content_text: 'The boat is blue.' })
    expect(await countConflicts(user)).toBe(1)
    expect((await call(contents[1], round)).result.structuredContent.settled).toContain('"Porto"')
    // Sent again, it finds nothing to settle.
    const again = await call(contents[1], round)
    expect(again.result.structuredContent).not.toHaveProperty('settled')
    expect(await countConflicts(user)).toBe(0)
  })
})
