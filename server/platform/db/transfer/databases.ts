import { OperatorError } from '../../operator-error.ts'
import { isEmpty } from '../embedded/directory.ts'
import { DirectoryInUse } from '../embedded/lock.ts'
import {
  addressBeside,
  databaseDirectory,
  type EmbeddedServer,
  startCluster,
  startEmbedded,
} from '../embedded/open.ts'
import {
  draftPath,
  isReplacing,
  type Replacement,
  replaceEntries,
} from '../embedded/replacement.ts'
import { MIGRATION_LOCK } from '../preparation.ts'
import { type DatabaseSession, openDatabaseSession } from './session.ts'

/** A database of svc. */
export interface DatabaseLocation {
  /** Undefined: the embedded database. */
  databaseUrl: string | undefined
  dataDir: string
}

/**
 * Opens the database while servers may run on it, and starts the embedded one if none does.
 * @throws StartError or OperatorError when there is none, or it cannot be opened.
 */
export const openShared = async (settings: DatabaseLocation): Promise<DatabaseSession> => {
  if (settings.databaseUrl) return openDatabaseSession(settings.databaseUrl)
  try {
    return await openStopped(settings)
  } catch (error) {
    if (!(error instanceof DirectoryInUse)) throw error
    return openDatabaseSession(addressBeside(settings.dataDir))
  }
}

/**
 * Opens the database when no server runs on it. A server that starts meanwhile waits until it is closed.
 * @throws StartError or OperatorError when one does.
 */
export const openExclusive = async (settings: DatabaseLocation): Promise<DatabaseSession> => {
  if (!settings.databaseUrl) return openStopped(settings)
  await using opened = new AsyncDisposableStack()
  const session = opened.use(await openDatabaseSession(settings.databaseUrl))
  if (session.isPooled)
    throw new OperatorError(
      'The URL leads to a connection pooler, such as PgBouncer. Stop svc and the pooler, and use the URL of PostgreSQL itself',
    )
  if (!(await lockStart(session)) || (await hasServers(session)))
    throw new OperatorError('svc runs on the database; stop its servers first')
  opened.move()
  return session
}

/** Locks the start of servers, until the session ends. @returns false if one starts. */
const lockStart = async ({ sql }: DatabaseSession): Promise<boolean> => {
  const [row] = await sql.unsafe('select pg_try_advisory_lock($1) as locked', [MIGRATION_LOCK])
  return row?.locked === true
}

const hasServers = async ({ sql }: DatabaseSession): Promise<boolean> => {
  const servers = await sql.unsafe(
    `select from pg_stat_activity where datname = current_database()
    and application_name in ('svc', 'svc background', 'svc bulk')`,
  )
  return servers.length > 0
}

/** @throws OperatorError when the data directory has no embedded database. */
export const checkExists = (dataDir: string): void => {
  if (isEmpty(databaseDirectory(dataDir)) && !isReplacing(dataDir))
    throw new OperatorError(
      `SVC_DATA_DIR: ${dataDir} has no database; set it to the data directory of the server`,
    )
}

const openStopped = async ({ dataDir }: DatabaseLocation): Promise<DatabaseSession> => {
  checkExists(dataDir)
  return openCluster(startEmbedded(dataDir))
}

/** Connects to a starting server. Closing the session stops it. */
export const openCluster = async (starting: Promise<EmbeddedServer>): Promise<DatabaseSession> => {
  await using opened = new AsyncDisposableStack()
  const server = opened.use(await starting)
  const session = opened.use(await openDatabaseSession(server))
  const owned = opened.move()
  return { ...session, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

/**
 * Fills a new embedded database, which then replaces that of `dataDir`. The caller has the lock of the
 * data directory. With the draft `incoming` it continues with the database of an interrupted call.
 */
export const replaceEmbedded = async <T>(
  dataDir: string,
  replacement: Replacement,
  fill: (session: DatabaseSession) => Promise<T>,
): Promise<T> => {
  const directory = draftPath(dataDir, 'postgres', replacement.draft)
  const run = async () => {
    await using session = await openCluster(startCluster(directory))
    return await fill(session)
  }
  const result = await run()
  replaceEntries(dataDir, replacement)
  return result
}
