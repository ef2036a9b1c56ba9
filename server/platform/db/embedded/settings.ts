/** PostgreSQL settings by name. */
export type Settings = Record<string, string>

/** For a machine with little memory, shared with svc. Other settings keep the defaults of PostgreSQL. */
const SETTINGS: Settings = {
  // Connections only over the Unix socket.
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '40',
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
const PLATFORM_SETTINGS: Settings =
  process.platform === 'darwin' ? { wal_sync_method: 'fsync_writethrough' } : {}

/** Settings that older versions do not have, with the first version that has them. */
const FIRST_VERSIONS: Record<string, number> = { io_method: 18 }

/** The command-line arguments of `postgres`. `overrides` take precedence. */
export const settingArguments = (overrides: Settings, major: string): string[] =>
  Object.entries({ ...SETTINGS, ...PLATFORM_SETTINGS, ...overrides })
    .filter(([name]) => Number(major) >= (FIRST_VERSIONS[name] ?? 0))
    .flatMap(([name, value]) => ['-c', `${name}=${value}`])
