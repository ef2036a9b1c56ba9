import { createHash } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { StartError } from '../../operator-error.ts'
import { giveTo, type RunAs } from './run-as.ts'

/** PostgreSQL parameters by name. */
export type PostgresParameters = Record<string, string>

const CONNECTIONS = 40
/** Of the pools of a process, and of those that listen. */
const CONNECTIONS_OF_PROCESS = 16

/** The most connections that svc opens with so many processes, beside its own commands. */
export const connectionsFor = (processes: number): number =>
  CONNECTIONS + (processes - 1) * CONNECTIONS_OF_PROCESS

/** For a machine with little memory, shared with svc. Other parameters keep the defaults of PostgreSQL. */
const PARAMETERS: PostgresParameters = {
  // Connections only over the Unix socket.
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: String(CONNECTIONS),
  // Durability. These are the defaults; here they override postgresql.conf.
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  // Memory.
  shared_buffers: '64MB',
  effective_cache_size: '512MB',
  work_mem: '8MB',
  maintenance_work_mem: '64MB',
  max_wal_size: '512MB',
  // Processes: no replicas and no parallel workers.
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_worker_processes: '0',
  max_logical_replication_workers: '0',
  max_parallel_workers_per_gather: '0',
  autovacuum_max_workers: '1',
  // After each ANALYZE every connection plans its statements again, which delays requests. Statements find
  // rows by keys, so plans change only when a table has become much larger.
  autovacuum_analyze_scale_factor: '0.5',
  io_method: 'sync',
  // JIT compilation of a recall takes longer than the query.
  jit: 'off',
  timezone: 'UTC',
  // Errors quote rows and statements, which have personal data, so only fatal errors are logged.
  log_min_messages: 'fatal',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
}

/** On macOS a normal fsync leaves data in the cache of the drive. */
const PLATFORM_PARAMETERS: PostgresParameters =
  process.platform === 'darwin' ? { wal_sync_method: 'fsync_writethrough' } : {}

/** Parameters that older versions do not have, with the first version that has them. */
const FIRST_VERSIONS: Record<string, number> = { io_method: 18 }

/** The command-line arguments of `postgres`. `overrides` take precedence. */
export const parameterArguments = (overrides: PostgresParameters, major: string): string[] =>
  Object.entries({ ...PARAMETERS, ...PLATFORM_PARAMETERS, ...overrides })
    .filter(([name]) => Number(major) >= (FIRST_VERSIONS[name] ?? 0))
    .flatMap(([name, value]) => ['-c', `${name}=${value}`])

const FILE = '.s.PGSQL.5432'
/** The longest path of a Unix socket on macOS; Linux allows four bytes more. */
const MAX_BYTES = 103

/** The directory of the socket: the data directory, or one with a shorter path if that is too long. */
export const socketDirectory = (directory: string, runAs: RunAs): string => {
  if (isShort(directory)) return directory
  const hash = createHash('sha256').update(directory).digest('hex').slice(0, 16)
  const path = [`/run/user/${process.getuid?.()}`, resolve(tmpdir()), '/tmp']
    .filter((parent) => existsSync(parent))
    .map((parent) => join(parent, `svc-${hash}`))
    .find(isShort)
  if (!path) throw new StartError(`SVC_DATA_DIR: ${directory} is too long for a Unix socket`)
  makePrivate(path, runAs)
  return path
}

export const socketPath = (directory: string): string => join(directory, FILE)

const isShort = (directory: string) => Buffer.byteLength(socketPath(directory)) <= MAX_BYTES

/** Any user can create a directory in /tmp, so one of another user may have a malicious socket. */
const makePrivate = (path: string, runAs: RunAs): void => {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  const stats = lstatSync(path)
  const isOurs = stats.uid === process.getuid?.() || stats.uid === runAs.uid
  if (!stats.isDirectory() || !isOurs || (stats.mode & 0o077) !== 0)
    throw new StartError(
      `${path}, where the socket of the embedded PostgreSQL goes, is not a private directory of this user; remove it, or set SVC_DATA_DIR to a shorter path`,
    )
  giveTo(runAs, path)
}
