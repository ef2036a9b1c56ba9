import { expect, test } from 'bun:test'
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import {
  deleteMemory,
  listMemories,
  memoryHistory,
  restoreMemory,
  updateMemory,
} from '../../shared/contract/index.ts'
import { allMemories } from '../harness/memories.ts'
import { useSharedServer } from '../harness/server.ts'
import {
  bodyOf,
  currentOf,
  filesIn,
  NOTHING,
  newSynced,
  type Synced,
  store,
  textsOf,
} from './sync-support.ts'

const server = useSharedServer()

const KINDS = ['create', 'edit', 'tag', 'delete', 'rename', 'copy', 'strip'] as const
const CHANGES = ['remember', 'supersede', 'update', 'tag', 'delete', 'restore'] as const

type Step =
  | { on: 'files'; folder: number; kind: (typeof KINDS)[number]; pick: number; text: string }
  | { on: 'account'; kind: (typeof CHANGES)[number]; pick: number; text: string }
  | { on: 'sync'; folder: number }
  | { on: 'both' }

const text = fc.constantFrom(
  'Tea.',
  'Coffee.',
  'Water.',
  'Milk.',
  'Juice.',
  'Wine.',
  'tea\nand\nmore',
)
const folder = fc.constantFrom(0, 1)
const pick = fc.nat(20)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      on: fc.constant('files' as const),
      folder,
      kind: fc.constantFrom(...KINDS),
      pick,
      text,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      on: fc.constant('account' as const),
      kind: fc.constantFrom(...CHANGES),
      pick,
      text,
    }),
  },
  { weight: 2, arbitrary: fc.record({ on: fc.constant('sync' as const), folder }) },
  { weight: 1, arbitrary: fc.record({ on: fc.constant('both' as const) }) },
)

const changeFiles = (
  synced: Synced,
  { kind, pick, text }: Extract<Step, { on: 'files' }>,
  count: number,
) => {
  const files = filesIn(synced.root)
  const path = files[pick % files.length]
  if (kind === 'create') synced.write(`new ${count}.md`, text)
  if (path === undefined) return
  const old = synced.read(path)
  const body = bodyOf(old)
  const head = old.slice(0, old.lastIndexOf(body))
  if (kind === 'edit') synced.write(path, `${head}${text}\n`)
  if (kind === 'tag') {
    const rest = old.replace(/^tags:.*\n(?: {2}- .*\n)*/m, '')
    synced.write(path, rest.replace(/^id: /m, `tags: [tag${pick}]\nid: `))
  }
  if (kind === 'delete') synced.remove(path)
  if (kind === 'rename') renameSync(join(synced.root, path), join(synced.root, `moved ${count}.md`))
  if (kind === 'copy') synced.write(`copy ${count}.md`, old)
  if (kind === 'strip') synced.write(path, `${body}\n`)
}

const changeAccount = async (
  of: Synced,
  { kind, pick, text }: Extract<Step, { on: 'account' }>,
) => {
  const { client } = of.user
  const current = await currentOf(of)
  const memory_id = current[pick % current.length]?.memory_id
  if (kind === 'remember') await store(of, text)
  const { memories } = await client.call(listMemories, { query: { deleted: true } })
  const deleted = memories[pick % memories.length]?.memory_id
  const params = { memory_id: memory_id ?? '' }
  // The text may be that of another memory: then the account stays as it is.
  const ignored = () => {}
  if (kind === 'restore' && deleted)
    await client.call(restoreMemory, { params: { memory_id: deleted } }).catch(ignored)
  if (memory_id === undefined) return
  if (kind === 'supersede') await store(of, text, { supersedes: memory_id }).catch(ignored)
  if (kind === 'update')
    await client.call(updateMemory, { params, body: { content: text } }).catch(ignored)
  if (kind === 'tag') await client.call(updateMemory, { params, body: { tags: [`of ${pick}`] } })
  if (kind === 'delete') await client.call(deleteMemory, { params })
}

/** Each text that the account has, had or can restore. */
const everyVersion = async ({ user: { client } }: Synced): Promise<Set<string>> => {
  const deleted = await client.call(listMemories, { query: { deleted: true, limit: 100 } })
  const all = [...(await allMemories(client)), ...deleted.memories]
  const histories = await Promise.all(
    all.map(({ memory_id }) => client.call(memoryHistory, { params: { memory_id } })),
  )
  return new Set([
    ...all.map(({ content_text }) => content_text),
    ...histories.flat().flatMap(({ before }) => before?.content_text ?? []),
  ])
}

const sync = (of: Synced) => of.synced('--allow-deletes', '1000')

test('random edits in two folders and the account converge, and no text is lost', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
      const first = await newSynced(server.current)
      const second = await newSynced(server.current, first)
      const folders = [first, second]
      const seen = new Set<string>()
      const note = (of: Synced) => {
        for (const each of Object.values(of.texts())) seen.add(each)
      }
      for (const [count, each] of steps.entries()) {
        const of = folders['folder' in each ? each.folder : 0] as Synced
        if (each.on === 'files') changeFiles(of, each, count)
        if (each.on === 'account') await changeAccount(of, each)
        if (each.on === 'both') {
          folders.forEach(note)
          await Promise.all(folders.map(sync))
        }
        if (each.on === 'sync') {
          note(of)
          await sync(of)
        }
      }
      folders.forEach(note)
      for (let round = 0; round < 2; round++) for (const of of folders) await sync(of)
      for (const of of folders) expect({ ...(await sync(of)), duplicate: 0 }).toMatchObject(NOTHING)
      const texts = [...new Set(await textsOf(first))]
      for (const of of folders)
        expect([...new Set(Object.values(of.texts()))].toSorted()).toEqual(texts)
      const kept = await everyVersion(first)
      expect([...seen].filter((each) => !kept.has(each))).toEqual([])
    }),
    { numRuns: Number(process.env.TEST_SYNC_RUNS ?? 12), endOnFailure: false },
  )
})
