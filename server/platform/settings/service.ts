import { createCipher } from '../cipher.ts'
import type { Database, Db } from '../db/database.ts'
import type { Log } from '../log.ts'
import { createRefresher } from '../refresher.ts'
import type { AuthSecrets } from '../secrets/derived-keys.ts'
import {
  listSettings,
  lockSettings,
  notifySettings,
  SETTINGS_CHANNEL,
  type SettingRow,
  storeSetting,
} from './store.ts'
import { sealedSettings } from './table.ts'

/** A setting that was stored at some time. */
export interface StoredSetting extends Omit<SettingRow, 'sealed'> {
  /** Undefined: the default, or a value that was encrypted with another secret. */
  value: string | undefined
  isReadable: boolean
}

export interface SettingChange {
  name: string
  /** Null restores the default. */
  value: string | null
  /** The version that the change replaces; 0 if there was none. */
  version: number
}

/** The settings in the database, which every process of the server follows. */
export type StoredSettings = Awaited<ReturnType<typeof openStoredSettings>>

/** Behind a pooler, which gives no notifications. */
const POLL_MS = 2_000
const RETRY_MS = 1_000

export const openStoredSettings = async (
  { db, listen }: Pick<Database, 'db' | 'listen'>,
  authSecrets: AuthSecrets,
  log: Pick<Log, 'warn'>,
) => {
  const cipher = createCipher(authSecrets, sealedSettings.purpose)
  const listeners: (() => void)[] = []
  let current = new Map<string, StoredSetting>()
  let retry: NodeJS.Timeout | undefined
  let isClosed = false

  const read = async (from: Db): Promise<Map<string, StoredSetting>> => {
    const rows = await listSettings(from)
    return new Map(
      rows.map(({ sealed, ...row }) => {
        const value = sealed === null ? undefined : cipher.open(sealed, row.name)
        return [row.name, { ...row, value, isReadable: sealed === null || value !== undefined }]
      }),
    )
  }

  const { refresh, settled } = createRefresher(async () => {
    const latest = await read(db)
    if (Bun.deepEquals(latest, current)) return
    for (const { name, isReadable } of latest.values())
      if (!isReadable && current.get(name)?.isReadable !== false)
        log.warn({ name }, 'a setting was encrypted with another secret; its default is used')
    current = latest
    for (const listener of listeners) listener()
  })

  const refreshSoon = (): void => {
    if (isClosed) return
    refresh().catch((error: unknown) => {
      if (isClosed) return
      log.warn({ error }, 'the settings could not be read; retrying')
      clearTimeout(retry)
      retry = setTimeout(refreshSoon, RETRY_MS)
    })
  }

  await using opened = new AsyncDisposableStack()
  opened.defer(settled)
  const listener = await listen(SETTINGS_CHANNEL, refreshSoon)
  if (listener) opened.use(listener)
  const poll = listener ? undefined : setInterval(refreshSoon, POLL_MS)
  opened.defer(() => {
    isClosed = true
    clearTimeout(retry)
    clearInterval(poll)
  })
  await refresh()
  const owned = opened.move()
  return {
    /** The settings as this process has read them last. */
    current: (): ReadonlyMap<string, StoredSetting> => current,
    /** The settings as they are in the database. */
    read,
    /** Serializes changes until the end of the transaction. */
    lock: lockSettings,
    /** @returns false if another change came first. */
    store: (tx: Db, { name, value, version }: SettingChange, changedBy: string): Promise<boolean> =>
      storeSetting(tx, {
        name,
        version,
        changedBy,
        sealed: value === null ? null : cipher.seal(value, name),
      }),
    /** Notifies all processes, when the transaction commits. */
    notify: notifySettings,
    /** Reads the settings. Resolves when those that have changed are in use. */
    refresh,
    /** Calls `listener` after each change. */
    onChange: (added: () => void): void => void listeners.push(added),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** Whether a setting has a stored value, readable or not. */
export const isStored = (setting: StoredSetting | undefined): boolean =>
  setting !== undefined && (!setting.isReadable || setting.value !== undefined)

/** The stored values that can be read. */
export const valuesOf = (settings: ReadonlyMap<string, StoredSetting>): Map<string, string> =>
  new Map(
    [...settings].flatMap(([name, { value }]): [string, string][] =>
      value === undefined ? [] : [[name, value]],
    ),
  )
