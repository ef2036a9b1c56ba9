import { Database } from 'bun:sqlite'
import { readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fieldsOf, type JsonObject } from '../../shared/objects.ts'
import { findFiles } from './files.ts'
import { turnsOf } from './opencode-turns.ts'
import {
  type OnUnreadable,
  type TranscriptEnvironment,
  type TranscriptFormat,
  type TranscriptTurn,
  textField,
} from './transcript.ts'

const directory = ({ xdgDataHome, home }: TranscriptEnvironment): string =>
  join(xdgDataHome ?? join(home, '.local', 'share'), 'opencode')

/** Versions other than the released one have the name of their channel: `opencode-dev.db`. */
const DATABASE = /^opencode(?:-[a-z0-9]+)?\.db$/
/** Before version 1.2: a file for each session, message and part. */
const STORED_SESSION = /^[^\\/]+[\\/]ses_[^\\/]+\.json$/

export const openCodeTranscripts: TranscriptFormat = {
  title: 'OpenCode',
  directory,
  async find(place) {
    const root = directory(place)
    const databases = await findFiles(root, (path) => DATABASE.test(path))
    if (databases.length) return databases
    return findFiles(join(root, 'storage', 'session'), (path) => STORED_SESSION.test(path))
  },
  read: ({ path }, onUnreadable) =>
    path.endsWith('.db') ? readDatabase(path, onUnreadable) : readStoredSession(path, onUnreadable),
}

/** A subagent's session has a parent; its prompts were written by an assistant. */
const SESSIONS =
  'select id, directory from session where parent_id is null order by time_created, id'
const MESSAGES = `select id, data from message where session_id = ?
  and json_valid(data) and json_extract(data, '$.role') in ('user', 'assistant') order by time_created, id`
const TEXTS = `select data from part where message_id = ?
  and json_valid(data) and json_extract(data, '$.type') = 'text' order by id`

async function* readDatabase(
  path: string,
  onUnreadable: OnUnreadable,
): AsyncGenerator<TranscriptTurn> {
  using database = new Database(path, { readonly: true })
  const messages = database.query<{ id: string; data: string }, [string]>(MESSAGES)
  const texts = database.query<{ data: string }, [string]>(TEXTS)
  const sessions = database.query<{ id: string; directory: string }, []>(SESSIONS).all()
  for (const { id, directory: folder } of sessions)
    yield* turnsOf({
      session: id,
      folder,
      messages: function* () {
        for (const row of messages.iterate(id)) {
          const message = parse(row.data, onUnreadable)
          if (message) yield { ...message, id: row.id }
        }
      },
      parts: (messageId) =>
        texts
          .all(messageId)
          .map(({ data }) => parse(data, onUnreadable))
          .filter((part) => part !== undefined),
    })
}

const parse = (text: string, onUnreadable: OnUnreadable): JsonObject | undefined => {
  try {
    return fieldsOf(JSON.parse(text))
  } catch {
    onUnreadable()
    return undefined
  }
}

/**
 * Reads a session as OpenCode before version 1.2 stored it: `session/<project>/<session>.json`,
 * `message/<session>/<message>.json` and `part/<message>/<part>.json`. Ids sort by time.
 */
async function* readStoredSession(
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
