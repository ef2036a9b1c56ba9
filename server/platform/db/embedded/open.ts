import { dirname, join, resolve } from 'node:path'
import type { Log } from '../../log.ts'
import type { Database } from '../database.ts'
import { connect, type LockCheck } from '../postgres.ts'
import { findBinaries } from './binaries.ts'
import { checkDirectory, isEmpty, makeDatabase, ROLE, readPassword } from './directory.ts'
import { lockDirectory } from './lock.ts'
import type { PostgresOptions } from './process.ts'
import { checkDirectoryOwner, chooseUser } from './run-as.ts'
import { socketDirectory, socketPath } from './socket.ts'
import { supervise } from './supervisor.ts'

interface EmbeddedOptions {
  log?: Log
  /** Reports the progress of a first start. */
  notice?(text: string): void
}

/** A running embedded PostgreSQL. */
export interface EmbeddedServer extends AsyncDisposable {
  directory: string
  socket: string
}

/**
 * Starts the embedded PostgreSQL on `dataDir`.
 * @throws StartError when the directory cannot be used, is in use, or has other content.
 */
export const startEmbedded = async (
  dataDir: string,
  { log, notice }: EmbeddedOptions = {},
): Promise<EmbeddedServer> => {
  await using opened = new AsyncDisposableStack()
  const lock = lockDirectory(dataDir)
  opened.defer(() => lock.release())
  const options = await prepareDirectory(join(resolve(dataDir), 'postgres'), notice)
  const { socket, stop } = await supervise(options, log)
  opened.defer(stop)
  const owned = opened.move()
  return {
    directory: options.directory,
    socket,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** Connects to a server and migrates its schema. Closing the database stops the server. */
export const openEmbedded = async (
  starting: Promise<EmbeddedServer>,
  lockCheck?: LockCheck,
): Promise<Database> => {
  await using opened = new AsyncDisposableStack()
  const server = opened.use(await starting)
  const database = await connectTo(server.directory, server.socket, lockCheck)
  opened.defer(database.close)
  const owned = opened.move()
  return { ...database, close: () => owned.disposeAsync() }
}

/** Connects to the database of `dataDir` while another svc process runs it. */
export const connectBeside = (dataDir: string): Promise<Database> => {
  const directory = join(resolve(dataDir), 'postgres')
  return connectTo(directory, socketPath(socketDirectory(directory, { prefix: [] })))
}

const connectTo = (directory: string, path: string, lockCheck?: LockCheck): Promise<Database> =>
  connect({
    kind: 'embedded',
    lockCheck,
    target: { path, username: ROLE, password: readPassword(directory), database: 'postgres' },
  })

/**
 * Creates a database in `directory`, or checks the existing one.
 * @throws StartError when that fails.
 */
export const prepareDirectory = async (
  directory: string,
  notice?: (text: string) => void,
): Promise<PostgresOptions> => {
  const binaries = findBinaries()
  checkDirectoryOwner(directory)
  const isNew = isEmpty(directory)
  if (!isNew) checkDirectory(directory, binaries)
  const runAs = chooseUser(directory, binaries.postgres)
  if (isNew) {
    notice?.(`Creating the database in ${dirname(directory)} …`)
    await makeDatabase(directory, binaries, runAs)
  }
  return { binaries, directory, runAs }
}
