import { expect, onTestFinished } from 'bun:test'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { listMemories, type Memory, remember } from '../../shared/contract/index.ts'
import { allMemories } from '../harness/memories.ts'
import type { TestServer, TestUser } from '../harness/server.ts'
import { type Ended, type Machine, type SvcOptions, signedInMachine } from './svc.ts'

/** A folder that is synced with an account, on a machine. */
export interface Synced {
  user: TestUser
  machine: Machine
  root: string
  /** Runs `svc sync` with options. */
  sync(...options: string[]): Promise<Ended>
  /** Runs it, and expects success. @returns its JSON. */
  synced(...options: string[]): Promise<SyncResult>
  /** The Markdown files by path, without the front matter. */
  texts(): Record<string, string>
  read(path: string): string
  write(path: string, text: string): void
  /** The text of a file, changed. */
  edit(path: string, change: (text: string) => string): void
  remove(path: string): void
}

export interface SyncResult {
  dry_run: boolean
  remembered: number
  superseded: number
  updated: number
  forgotten: number
  created: number
  written: number
  removed: number
  conflict: number
  duplicate: number
  changes: { action: string; path: string; memory_id: string | null; other?: string }[]
  skipped: { path: string; problem: string }[]
}

export const NOTHING = {
  remembered: 0,
  superseded: 0,
  updated: 0,
  forgotten: 0,
  created: 0,
  written: 0,
  removed: 0,
  conflict: 0,
  duplicate: 0,
}

export const newFolder = (): string => {
  const root = mkdtempSync(join(tmpdir(), 'svc-sync-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  return root
}

/** A user with an empty synced folder. @param of another folder of the same account. */
export const newSynced = async (
  server: Pick<TestServer, 'url'>,
  of?: Pick<Synced, 'user'>,
  svcOptions: SvcOptions = {},
): Promise<Synced> => {
  const { user, machine } = await signedInMachine(server, server.url, of?.user)
  const root = newFolder()
  const pathOf = (path: string) => join(root, path)
  const sync = (...options: string[]) => machine.svc(['sync', root, ...options], svcOptions)
  const write = (path: string, text: string) => {
    mkdirSync(dirname(pathOf(path)), { recursive: true })
    writeFileSync(pathOf(path), text)
  }
  const read = (path: string) => readFileSync(pathOf(path), 'utf8')
  return {
    user,
    machine,
    root,
    sync,
    read,
    write,
    async synced(...options) {
      const { code, stdout, stderr } = await sync('--json', ...options)
      if (code !== 0) throw new Error(`svc sync: ${code}: ${stderr}`)
      return JSON.parse(stdout)
    },
    texts: () => Object.fromEntries(filesIn(root).map((path) => [path, bodyOf(read(path))])),
    edit: (path, change) => write(path, change(read(path))),
    remove: (path) => rmSync(pathOf(path)),
  }
}

/** The Markdown files of a folder, sorted. Links are not followed. */
export const filesIn = (root: string): string[] => {
  const files: string[] = []
  const folders = ['']
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop())
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      if (entry.name.startsWith('.')) continue
      const path = join(folder, entry.name)
      if (entry.isDirectory()) folders.push(path)
      if (entry.isFile() && /\.md$/i.test(path)) files.push(path)
    }
  return files.toSorted()
}

/** The text after the front matter, without the blank line and the last line end. */
export const bodyOf = (text: string): string =>
  text.replace(/^\ufeff?---\r?\n[\s\S]*?\n---\r?\n(?:\r?\n)?/, '').replace(/\r?\n$/, '')

export const idIn = (text: string): string => /^id: (\S+)$/m.exec(text)?.[1] ?? ''

/** The texts of the current memories, sorted. */
export const textsOf = async ({ user }: Pick<Synced, 'user'>): Promise<string[]> =>
  (await currentOf({ user })).map(({ content_text }) => content_text).toSorted()

/** The memories that are neither superseded nor forgotten. */
export const currentOf = async ({ user }: Pick<Synced, 'user'>): Promise<Memory[]> =>
  (await allMemories(user.client)).filter(({ superseded_by }) => superseded_by === null)

/** The texts of all memories that a user has or can restore. */
export const everyText = async ({ user }: Pick<Synced, 'user'>): Promise<Set<string>> => {
  const texts = (await allMemories(user.client)).map(({ content_text }) => content_text)
  for (let cursor: string | undefined; ; ) {
    const page = await user.client.call(listMemories, {
      query: { deleted: true, limit: 100, ...(cursor && { cursor }) },
    })
    texts.push(...page.memories.map(({ content_text }) => content_text))
    if (!page.next_cursor) return new Set(texts)
    cursor = page.next_cursor
  }
}

export const store = async (
  { user }: Pick<Synced, 'user'>,
  content: string,
  fields: { tags?: string[]; thread?: string; supersedes?: string; occurred_at?: string } = {},
): Promise<string> => (await user.client.call(remember, { body: { content, ...fields } })).memory_id

/** Runs until the end, and checks that both sides are equal, with each text once and none lost. */
export const expectRepaired = async (folder: Synced, kept: string[]) => {
  await folder.synced('--allow-deletes', '1000')
  expect(await folder.synced()).toMatchObject(NOTHING)
  const texts = await textsOf(folder)
  expect(Object.values(folder.texts()).toSorted()).toEqual(texts)
  expect(new Set(texts).size).toBe(texts.length)
  const every = await everyText(folder)
  expect(kept.filter((text) => !every.has(text))).toEqual([])
  const left = readdirSync(folder.root, { recursive: true, encoding: 'utf8' })
  expect(left.filter((path) => path.endsWith('.tmp') || path.endsWith('.ndjson'))).toEqual([])
}
