import { createHash } from 'node:crypto'
import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isObject } from '../../shared/objects.ts'
import { lockFile } from '../file-lock.ts'
import { makePrivateDirectory, readPrivateFile, replacePrivateFile } from '../private-file.ts'
import type { AssistantName } from './clients.ts'

/** The knowledge of the hooks about a conversation between two events. */
export interface SessionState {
  /** The number of prompts so far. */
  prompts: number
  /** The id of the turn that runs. */
  turn: string
  /** Whether the turn is not stored, so that its answer is not either. */
  isMuted: boolean
  /** The hashes of the prompts of the turn. A person can add prompts to a turn that runs. */
  parts?: string[]
  /** The latest text of the assistant, of an assistant whose end of a turn has none. */
  answer?: string
  /** Whether the model no longer has what the session was given, and the server does not know it yet. */
  isCompacted?: boolean
}

const LOCK_TIMEOUT_MS = 300
const MAX_AGE_MS = 180 * 24 * 3_600_000
/** Old files are looked for only where there are many. */
const MANY_FILES = 500

/**
 * Changes the state of a conversation, one process at a time.
 * @throws if it cannot be stored, for example on a full disk.
 */
export const changeSession = async (
  configDir: string,
  client: AssistantName,
  session: string,
  change: (state: SessionState | undefined) => SessionState,
): Promise<SessionState> => {
  const dir = join(configDir, 'hooks', 'sessions')
  const path = pathOf(configDir, client, session)
  makePrivateDirectory(dir)
  using lock = await lockSessions(configDir)
  const before = lock && readState(path)
  if (!before) removeOld(dir)
  const state = change(before)
  replacePrivateFile(path, JSON.stringify(state))
  return state
}

export const readSession = (
  configDir: string,
  client: AssistantName,
  session: string,
): SessionState | undefined => readState(pathOf(configDir, client, session))

/** The id may have any characters, so the name of the file has its hash. */
const pathOf = (configDir: string, client: AssistantName, session: string): string => {
  const hash = createHash('sha256').update(session).digest('hex').slice(0, 32)
  return join(configDir, 'hooks', 'sessions', `${client}-${hash}.json`)
}

const lockSessions = async (configDir: string): Promise<Disposable> => {
  const lock = await lockFile(join(configDir, 'hooks', 'sessions.lock'), LOCK_TIMEOUT_MS)
  if (!lock) throw new Error('another hook has locked the sessions')
  return { [Symbol.dispose]: () => lock.close() }
}

const readState = (path: string): SessionState | undefined => {
  try {
    const state: unknown = JSON.parse(readPrivateFile(path) ?? '')
    return isState(state) ? state : undefined
  } catch {
    return undefined
  }
}

const isState = (value: unknown): value is SessionState =>
  isObject(value) &&
  Number.isSafeInteger(value.prompts) &&
  typeof value.turn === 'string' &&
  typeof value.isMuted === 'boolean'

const removeOld = (dir: string): void => {
  const names = readdirSync(dir)
  if (names.length < MANY_FILES) return
  const oldest = Date.now() - MAX_AGE_MS
  for (const name of names)
    if (statSync(join(dir, name)).mtimeMs < oldest) rmSync(join(dir, name), { force: true })
}
