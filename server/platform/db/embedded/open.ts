import { dirname, join } from 'node:path'
import type postgres from 'postgres'
import type { Log } from '../../log.ts'
import type { Database } from '../database.ts'
import { connect, type LockCheck } from '../postgres.ts'
import { type Binaries, findBinaries } from './binaries.ts'
import { checkDirectory, isEmpty, makeDatabase, ROLE, readPassword } from './directory.ts'
import { lockDirectory } from './lock.ts'
import { connectionsFor, socketDirectory, socketPath } from './parameters.ts'
import { type PostgresOptions, supervise } from './process.ts'
import { settleReplacement } from './replacement.ts'
import { checkDirectoryOwner, chooseUser } from './run-as.ts'

interface EmbeddedOptions {
  log?: Log
  /** Reports the progress of a first start. */
  notice?(text: string): void
  /** The number of processes that connect to it. Default: 1. */
  processes?: number
}

/** The address of an embedded PostgreSQL. */
export interface EmbeddedAddress {
  directory: string
  socket: string
}

/** A running embedded PostgreSQL. */
export interface EmbeddedServer extends EmbeddedAddress, AsyncDisposable {}

export const databaseDirectory = (dataDir: string): string => join(dataDir, 'postgres')

/**
 * Starts the embedded PostgreSQL on `dataDir`.
 * @throws StartError when the directory cannot be used, is in use, or has other content.
 */
export const startEmbedded = async (
  dataDir: string,
  options: EmbeddedOptions = {},
): Promise<EmbeddedServer> => {
  await using opened = new AsyncDisposableStack()
  const lock = lockDirectory(dataDir)
  opened.defer(() => lock.release())
  await settleReplacement(dataDir, options.log)
  const server = opened.use(await startCluster(databaseDirectory(dataDir), options))
  const owned = opened.move()
  return { ...server, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

/**
 * Starts PostgreSQL on the database in `directory`, and creates it if there is none. The caller has the
 * lock of the data directory.
 * @throws StartError when the directory cannot be used or has other content.
 */
export const startCluster = async (
  directory: string,
  {
    binaries = findBinaries(),
    log,
    notice,
    processes = 1,
  }: EmbeddedOptions & { binaries?: Binaries } = {},
): Promise<EmbeddedServer> => {
  const options = await prepareDirectory(directory, binaries, notice)
  const parameters = processes === 1 ? {} : { max_connections: String(connectionsFor(processes)) }
  const { socket, stop } = await supervise({ ...options, parameters }, log)
  return { directory, socket, [Symbol.asyncDispose]: stop }
}

/** Connects to a server and migrates its schema. Closing the database stops the server. */
export const openEmbedded = async (
  starting: Promise<EmbeddedServer>,
  lockCheck?: LockCheck,
): Promise<Database> => {
  await using opened = new AsyncDisposableStack()
  const server = opened.use(await starting)
  const database = await connectTo(server, lockCheck)
  opened.defer(database.close)
  const owned = opened.move()
  return { ...database, close: () => owned.disposeAsync() }
}

/** The address of the database of `dataDir` that another svc process runs. */
export const addressBeside = (dataDir: string): EmbeddedAddress => {
  const directory = databaseDirectory(dataDir)
  return { directory, socket: socketPath(socketDirectory(directory, { prefix: [] })) }
}

/** Connects to the database of `dataDir` while another svc process runs it. */
export const connectBeside = (dataDir: string): Promise<Database> =>
  connectTo(addressBeside(dataDir))

/** The options of the driver for an embedded PostgreSQL. */
export const clientOptions = ({ directory, socket }: EmbeddedAddress) =>
  ({
    path: socket,
    username: ROLE,
    password: readPassword(directory),
    database: 'postgres',
  }) satisfies postgres.Options<Record<string, never>>

const connectTo = (address: EmbeddedAddress, lockCheck?: LockCheck): Promise<Database> =>
  connect({ kind: 'embedded', lockCheck, target: clientOptions(address) })

/**
 * Creates a database in `directory`, or checks the existing one.
 * @throws StartError when that fails.
 */
export const prepareDirectory = async (
  directory: string,
  binaries = findBinaries(),
  notice?: (text: string) => void,
): Promise<PostgresOptions> => {
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
