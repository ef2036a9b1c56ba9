import { expect, setDefaultTimeout, test } from 'bun:test'
import { deleteMemory, recall, remember, updateMemory } from '../../shared/contract/index.ts'
import { newUser, useSharedServer } from '../harness/server.ts'

setDefaultTimeout(120_000)
const server = useSharedServer()

const LONGEST = 32_000
const fill = (unit: string) => unit.repeat(Math.ceil(LONGEST / unit.length)).slice(0, LONGEST)

/** Each is slow in another state of PostgreSQL's text search parser. */
const UNBROKEN: [name: string, text: string][] = [
  ['snake case', fill('kiwi_')],
  ['nested email addresses', fill('1@kiwi')],
  ['paths', fill('/~kiwi')],
  ['hyphens', fill('kiwi-1-')],
  ['dates', fill('2024-01-01T')],
  ['comments without an end', fill('<!--kiwi ')],
]

test.each(UNBROKEN)(
  'a memory of the longest text of %s is found by it, changed and deleted',
  async (_, content) => {
    const { client } = await newUser(server.current)
    await client.call(remember, { body: { content: 'A heron by the lake.' } })
    const memory = await client.call(remember, { body: { content } })
    const find = async () => {
      const { memories } = await client.call(recall, { body: { query: content } })
      return memories[0]?.memory_id
    }
    expect(await find()).toBe(memory.memory_id)

    const params = { memory_id: memory.memory_id }
    await client.call(updateMemory, {
      params,
      body: { content: `${content.slice(0, -8)} pelican` },
    })
    expect(await find()).toBe(memory.memory_id)
    await client.call(deleteMemory, { params })
    expect(await find()).toBeUndefined()
  },
)
