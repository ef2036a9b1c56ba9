import type { Memory } from '../../shared/contract/memories.ts'
import { readDocument, relabelDocument, replaceDocument } from './document.ts'
import { agrees, fieldsOfMemory } from './fields.ts'
import { decodeFile, isTemporary, listFolder, namesIn, readFileIn, removeEntry } from './files.ts'
import { BlockedPath } from './folder.ts'
import { STATE_FOLDER } from './state.ts'

/** The files that runs deleted and replaced, by day: `DAY/MEMORY.NUMBER/PATH`. */
const KEPT = `${STATE_FOLDER}/kept`

/** As long as a forgotten memory can be restored. */
const KEPT_DAYS = 30

const DAY_MS = 86_400_000

const isDay = (name: string): boolean => /^\d{4}-\d\d-\d\d$/.test(name)

/** The day of a time in UTC, ISO 8601. @param time milliseconds since 1970. */
export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)

/** Deletes the files that were kept for longer than 30 days. */
export const sweepKept = async (root: string, now: number): Promise<void> => {
  const oldest = dayOf(now - KEPT_DAYS * DAY_MS)
  for (const day of await keptIn(root, KEPT))
    if (isDay(day) && day < oldest) await removeEntry(root, `${KEPT}/${day}`)
}

/** A link in place of the folder is named when a file should be kept. */
const keptIn = (root: string, path: string): Promise<string[]> =>
  namesIn(root, path).catch((error: unknown) => {
    if (error instanceof BlockedPath) return []
    throw error
  })

/** A file that was kept. */
export interface KeptFile {
  /** Where it was. */
  path: string
  text: string
  mode: number
}

/** The kept files of a folder. @param today ISO 8601. @param isNeeded false: a run that changes nothing lists none. */
export const openKept = async (root: string, today: string, isNeeded: boolean) => {
  /** The folder of the latest version of each memory. */
  const latest = new Map<string, { day: string; number: number }>()
  const note = (id: string, day: string, number: number) => latest.set(id, { day, number })
  const days = isNeeded ? await keptIn(root, KEPT) : []
  for (const day of days.filter(isDay).toSorted())
    for (const name of await keptIn(root, `${KEPT}/${day}`)) {
      const [, id, number] = /^(.+)\.(\d+)$/.exec(name) ?? []
      if (id === undefined) continue
      const known = latest.get(id)
      if (known?.day !== day || known.number < Number(number)) note(id, day, Number(number))
    }
  return {
    /** A new path for the file of a memory. */
    pathFor(id: string, path: string): string {
      const known = latest.get(id)
      const number = known?.day === today ? known.number + 1 : 1
      note(id, today, number)
      return `${KEPT}/${today}/${id}.${number}/${path}`
    },
    /** The latest version of the file of a memory. */
    async find(id: string): Promise<KeptFile | undefined> {
      const known = latest.get(id)
      return known && readKept(root, `${KEPT}/${known.day}/${id}.${known.number}`)
    },
  }
}

export type Kept = Awaited<ReturnType<typeof openKept>>

/** @returns undefined if it is damaged. */
const readKept = async (root: string, folder: string): Promise<KeptFile | undefined> => {
  try {
    for (let path = folder; ; ) {
      const [entry] = await listFolder(root, path, async (each) => each)
      if (!entry || isTemporary(entry.name)) return undefined
      path += `/${entry.name}`
      if (entry.isDirectory()) continue
      const { bytes, mode } = await readFileIn(root, path)
      const text = decodeFile(bytes)
      return text === undefined ? undefined : { path: path.slice(folder.length + 1), text, mode }
    }
  } catch (error) {
    if (error instanceof BlockedPath || (error as NodeJS.ErrnoException).code === 'ENOENT')
      return undefined
    throw error
  }
}

/** The text of a kept file for its memory, which may have changed since. */
export const restoredText = ({ text }: KeptFile, memory: Memory): string => {
  const document = readDocument(text)
  if ('problem' in document || !agrees(document.fields, fieldsOfMemory(memory)))
    return replaceDocument(text, memory)
  const isLabelled = document.id === undefined || document.id === memory.memory_id
  return isLabelled ? text : relabelDocument(text, memory)
}
