import { expect, test } from 'bun:test'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { memoryFacets } from '../../shared/contract/index.ts'
import { useServer } from '../harness/server.ts'
import { filesIn, NOTHING, newSynced } from './sync-support.ts'

const server = useServer()

/** Several pages and batches; bench/sync.ts measures more. */
const FILES = 2_000

test('2,000 files become memories, which another folder gets, with its edits', async () => {
  const folder = await newSynced(server.current)
  for (let i = 0; i < 100; i++) mkdirSync(join(folder.root, `${i}`))
  const pathOf = (i: number) => join(folder.root, `${i % 100}`, `Note ${i}.md`)
  for (let i = 0; i < FILES; i++) writeFileSync(pathOf(i), `The heron number ${i} is grey.\n`)
  expect(await folder.synced('--yes')).toMatchObject({ ...NOTHING, remembered: FILES, skipped: [] })
  const { total } = await folder.user.client.call(memoryFacets)
  expect(total).toBe(FILES)
  expect(await folder.synced()).toMatchObject(NOTHING)

  const other = await newSynced(server.current, folder)
  expect(await other.synced()).toMatchObject({ ...NOTHING, created: FILES })
  expect(filesIn(other.root)).toHaveLength(FILES)
  for (const path of filesIn(other.root).slice(0, 300))
    other.edit(path, (text) => text.replace('is grey', 'is white'))
  expect(await other.synced()).toMatchObject({ ...NOTHING, superseded: 300 })
  expect(await folder.synced()).toMatchObject({ ...NOTHING, written: 300 })
  const white = filesIn(folder.root).filter((path) =>
    readFileSync(join(folder.root, path), 'utf8').includes('is white'),
  )
  expect(white).toHaveLength(300)
})
