import { describe, expect, test } from 'bun:test'
import { remember, restoreMemory } from '../../shared/contract/index.ts'
import { useSharedServer } from '../harness/server.ts'
import {
  type Asked,
  capableWays,
  connectCapable,
  connectCapableOlder,
  isKept,
  postCall,
  withMemory,
} from './capable-client.ts'
import { connectOlderHttp, textOf } from './client.ts'

const server = useSharedServer()

describe('forget asks the user', () => {
  for (const [name, connect, over] of capableWays) {
    test(`${name}: a declined or cancelled question keeps the memory, an accepted one deletes it`, async () => {
      const { user, memory_id } = await withMemory(server.current, 'The attic code is 0815.')
      const asked: Asked[] = []
      const actions = ['decline', 'cancel', 'accept'] as const
      await using mcp = await connect(server.current, user.key, {
        over,
        answer(question) {
          asked.push(question)
          return { action: actions[asked.length - 1] ?? 'cancel' }
        },
      })
      const forget = () => mcp.client.callTool({ name: 'forget', arguments: { memory_id } })
      for (const _ of ['decline', 'cancel']) {
        const result = await forget()
        expect(result.structuredContent).toEqual({ memory_id, forgotten: false })
        expect(textOf(result)).toStartWith(`The user declined: ${memory_id} is kept.`)
        expect(await isKept(user, memory_id)).toBe(true)
      }
      expect((await forget()).structuredContent).toEqual({ memory_id, forgotten: true })
      expect(await isKept(user, memory_id)).toBe(false)
      expect(asked.map(({ message }) => message)).toEqual(
        Array(3).fill(
          'Forget this memory?\n\n“The attic code is 0815.”\n\nFor 30 days it can be restored.',
        ),
      )
    })
  }

  test('clients without elicitation forget as before, of both generations', async () => {
    const { user, memory_id } = await withMemory(server.current, 'The attic code is 0815.')
    await using current = await connectCapable(server.current, user.key, { over: 'http' })
    const forgotten = { memory_id, forgotten: true }
    const call = { name: 'forget', arguments: { memory_id } }
    expect((await current.client.callTool(call)).structuredContent).toEqual(forgotten)
    await user.client.call(restoreMemory, { params: { memory_id } })
    await using older = await connectOlderHttp(server.current, user.key)
    expect((await older.call('forget', { memory_id })).structuredContent).toEqual(forgotten)
  })

  test('a client that announces elicitation and refuses the question keeps the memory', async () => {
    const { user, memory_id } = await withMemory(server.current, 'The attic code is 0815.')
    await using mcp = await connectCapableOlder(server.current, user.key, {
      over: 'stdio',
      answer: () => {
        throw new Error('This client shows no forms')
      },
    })
    const result = await mcp.client.callTool({ name: 'forget', arguments: { memory_id } })
    expect(result.isError).toBe(true)
    expect(await isKept(user, memory_id)).toBe(true)
  })

  test('a memory that there is not is refused without a question', async () => {
    const { user } = await withMemory(server.current, 'A memory.')
    await using mcp = await connectCapable(server.current, user.key, {
      over: 'http',
      answer: () => expect.unreachable(),
    })
    const memory_id = crypto.randomUUID()
    const result = await mcp.client.callTool({ name: 'forget', arguments: { memory_id } })
    expect(textOf(result)).toStartWith('Memory not found. Call recall or list')
  })
})

describe('the state of a question', () => {
  const post = (key: string, name: string, input: object, round?: object) =>
    postCall(server.current, key, { name, input, round })
  const accept = { answer: { action: 'accept', content: {} } }
  const stateOf = async (key: string, memory_id: string): Promise<string> => {
    const { result } = await post(key, 'forget', { memory_id })
    expect(result.resultType).toBe('input_required')
    return result.requestState
  }

  test('an answer without the state, or with that of another memory, asks again', async () => {
    const { user, memory_id } = await withMemory(server.current, 'One.')
    const other = await user.client.call(remember, { body: { content: 'Two.' } })
    const requestState = await stateOf(user.key, other.memory_id)
    for (const round of [
      { inputResponses: accept },
      { inputResponses: accept, requestState },
      { requestState: await stateOf(user.key, memory_id) },
    ]) {
      const { result } = await post(user.key, 'forget', { memory_id }, round)
      expect(result.resultType).toBe('input_required')
    }
    expect(await isKept(user, memory_id)).toBe(true)
  })

  test('a forged state, and that of another user, are refused', async () => {
    const { user, memory_id } = await withMemory(server.current, 'One.')
    const requestState = await stateOf(user.key, memory_id)
    const stranger = await withMemory(server.current, 'Three.')
    const foreign = await stateOf(stranger.user.key, stranger.memory_id)
    const [version, payload = '', mac] = requestState.split('.')
    const changed = Buffer.from(payload, 'base64url')
      .toString()
      .replace(/\d{4}-/, '2001-')
    const forged = [version, Buffer.from(changed).toString('base64url'), mac].join('.')
    for (const state of [foreign, forged, `${requestState}x`, 'x', '']) {
      const round = { inputResponses: accept, requestState: state }
      const { error } = await post(user.key, 'forget', { memory_id }, round)
      expect([state, error?.code, error?.message]).toEqual([
        state,
        -32_602,
        'Invalid or expired requestState',
      ])
    }
    expect(await isKept(user, memory_id)).toBe(true)
  })

  test('an answer that is sent again does not forget a memory that was restored', async () => {
    const { user, memory_id } = await withMemory(server.current, 'One.')
    const round = { inputResponses: accept, requestState: await stateOf(user.key, memory_id) }
    const { result } = await post(user.key, 'forget', { memory_id }, round)
    expect(result.structuredContent).toEqual({ memory_id, forgotten: true })
    await user.client.call(restoreMemory, { params: { memory_id } })
    const again = await post(user.key, 'forget', { memory_id }, round)
    expect(again.result.resultType).toBe('input_required')
    expect(await isKept(user, memory_id)).toBe(true)
  })
})
