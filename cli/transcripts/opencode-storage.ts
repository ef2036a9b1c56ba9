import { readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fieldsOf, type JsonObject } from '../../shared/objects.ts'
import { turnsOf } from './opencode-turns.ts'
import { type OnUnreadable, type TranscriptTurn, textField } from './transcript.ts'

/**
 * Reads a session as OpenCode before version 1.2 stored it: `session/<project>/<session>.json`,
 * `message/<session>/<message>.json` and `part/<message>/<part>.json`. Ids sort by time.
 */
export async function* readStoredSession(
  path: string,
  onUnreadable: OnUnreadable,
): AsyncGenerator<TranscriptTurn> {
  const info = await readJson(path, onUnreadable)
  if (!info || textField(info.parentID) !== undefined) return
  const storage = dirname(dirname(dirname(path)))
  const session = basename(path, '.json')
  const messages = await readAll(join(storage, 'message', session), onUnreadable)
  const parts = new Map<string, JsonObject[]>()
  for (const { id } of messages)
    if (typeof id === 'string')
      parts.set(id, await readAll(join(storage, 'part', id), onUnreadable))
  yield* turnsOf({
    session,
    folder: textField(info.directory),
    messages: () => messages,
    parts: (id) => parts.get(id) ?? [],
  })
}

const readAll = async (directory: string, onUnreadable: OnUnreadable): Promise<JsonObject[]> => {
  const names = await readdir(directory).catch(() => [])
  const values: JsonObject[] = []
  for (const name of names.filter((each) => each.endsWith('.json')).sort()) {
    const value = await readJson(join(directory, name), onUnreadable)
    // A tool's output may be large, and is not needed.
    if (value && (value.type === undefined || value.type === 'text')) values.push(value)
  }
  return values
}

const readJson = async (
  path: string,
  onUnreadable: OnUnreadable,
): Promise<JsonObject | undefined> => {
  try {
    return fieldsOf(await Bun.file(path).json())
  } catch {
    onUnreadable()
    return undefined
  }
}
