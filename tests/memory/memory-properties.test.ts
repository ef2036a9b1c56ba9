import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Client } from '../../shared/client.ts'
import {
  deleteMemory,
  listMemories,
  recall,
  remember,
  restoreMemory,
  updateMemory,
} from '../../shared/contract/index.ts'
import { newUser, useServer } from '../harness/server.ts'

const server = useServer()
const newClient = async () => (await newUser(server.current)).client

/** Words of several languages and of none. */
const VOCABULARY = [
  'kumbo', 'tarix', 'velno', 'quzzo', 'pilam', 'drogu', 'garden', 'gardens', 'running', 'houses',
  'Häuser', 'Schlüssel', 'trabajando', 'hermanas', 'jardin', 'fleurs', 'квартиры', 'красивый',
  'well-being', 'v2.0', 'C3PO', 'ñandú', 'naïve', 'ΑΘΗΝΑ',
] // biome-ignore format: a list
const text = fc
  .array(fc.constantFrom(...VOCABULARY), { minLength: 1, maxLength: 10 })
  .map((words) => words.join(' '))

/** An operation on a user's memories; `at` is the index of the memory, modulo their number. */
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('remember' as const), content: text }) },
  fc.record({ kind: fc.constant('update' as const), at: fc.nat(), content: text }),
  fc.record({ kind: fc.constant('supersede' as const), at: fc.nat(), content: text }),
  fc.record({ kind: fc.constant('forget' as const), at: fc.nat() }),
  fc.record({ kind: fc.constant('restore' as const), at: fc.nat() }),
)

/** The word of a text that the fewest of the texts have. */
const rarestWord = (content: string, all: string[]): string => {
  const countOf = (word: string) =>
    all.filter((other) => other.toLowerCase().split(' ').includes(word.toLowerCase())).length
  return content.split(' ').toSorted((a, b) => countOf(a) - countOf(b))[0] ?? ''
}

const idsFor = async (client: Client, query: string) =>
  (await client.call(recall, { body: { query, limit: 100 } })).memories.map((m) => m.memory_id)

test('a memory is found by its rarest word after any updates, supersessions, deletions and restores', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      const client = await newClient()
      const live = new Map<string, string>()
      const forgotten = new Map<string, string>()
      const superseded = new Map<string, { content: string; by: string }>()
      // Those that count again because their successor was forgotten, with its id.
      const released = new Map<string, string>()
      const pick = (from: Map<string, string>, at: number) => [...from][at % from.size]
      const isNew = (content: string) =>
        ![
          ...[...live.values(), ...forgotten.values()],
          ...[...superseded.values()].map((one) => one.content),
        ].includes(content)
      for (const one of steps) {
        const target = 'at' in one && one.kind !== 'restore' ? pick(live, one.at) : undefined
        const [memory_id = ''] = target ?? []
        let changed: string | undefined
        if (one.kind === 'remember' && isNew(one.content)) {
          changed = (await client.call(remember, { body: { content: one.content } })).memory_id
          live.set(changed, one.content)
        } else if (one.kind === 'update' && target && isNew(one.content)) {
          const body = { content: one.content }
          await client.call(updateMemory, { params: { memory_id }, body })
          changed = memory_id
          live.set(changed, one.content)
        } else if (one.kind === 'supersede' && target && isNew(one.content)) {
          const body = { content: one.content, supersedes: memory_id }
          changed = (await client.call(remember, { body })).memory_id
          live.delete(memory_id)
          released.delete(memory_id)
          superseded.set(memory_id, { content: target[1], by: changed })
          live.set(changed, one.content)
        } else if (one.kind === 'forget' && target) {
          await client.call(deleteMemory, { params: { memory_id } })
          live.delete(memory_id)
          released.delete(memory_id)
          forgotten.set(memory_id, target[1])
          for (const [earlier, { content, by }] of superseded) {
            if (by !== memory_id) continue
            superseded.delete(earlier)
            released.set(earlier, memory_id)
            live.set(earlier, content)
          }
        } else if (one.kind === 'restore' && forgotten.size > 0) {
          const [id, content] = pick(forgotten, one.at) ?? ['', '']
          await client.call(restoreMemory, { params: { memory_id: id } })
          forgotten.delete(id)
          live.set(id, content)
          changed = id
          for (const [earlier, by] of released) {
            if (by !== id) continue
            released.delete(earlier)
            superseded.set(earlier, { content: live.get(earlier) ?? '', by: id })
            live.delete(earlier)
          }
        }
        if (!changed) continue
        const word = rarestWord(live.get(changed) ?? '', [...live.values()])
        expect({ word, found: await idsFor(client, word) }).toEqual({
          word,
          found: expect.arrayContaining([changed]),
        })
      }
      const word = [...live.values()].join(' ')
      if (word) expect(new Set(await idsFor(client, word))).toEqual(new Set(live.keys()))
    }),
    { numRuns: 25 },
  )
}, 120_000)

test('recall never returns a memory of another user', async () => {
  const people = fc.array(fc.array(text, { minLength: 1, maxLength: 4 }), {
    minLength: 2,
    maxLength: 3,
  })
  await fc.assert(
    fc.asyncProperty(people, text, async (contents, question) => {
      const clients = await Promise.all(contents.map(newClient))
      const own = await Promise.all(
        clients.map(async (client, index) => {
          const ids = new Set<string>()
          for (const content of contents[index] ?? [])
            ids.add((await client.call(remember, { body: { content } })).memory_id)
          return ids
        }),
      )
      for (const [index, client] of clients.entries()) {
        const { memories } = await client.call(listMemories, {})
        const listed = memories.map(({ memory_id }) => memory_id)
        for (const id of [...listed, ...(await idsFor(client, question))])
          expect(own[index]?.has(id)).toBe(true)
      }
    }),
    { numRuns: 10 },
  )
}, 120_000)
