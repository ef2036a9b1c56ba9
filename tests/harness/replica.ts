import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROLE, readPassword } from '../../server/platform/db/embedded/directory.ts'
import { prepareDirectory } from '../../server/platform/db/embedded/open.ts'
import { startProcess } from '../../server/platform/db/embedded/process.ts'
import { giveTo } from '../../server/platform/db/embedded/run-as.ts'
import { quietPort } from './ports.ts'

/** Commits wait for the log of this server, as on one that keeps its data, but not for the disk. */
const PARAMETERS = {
  listen_addresses: '127.0.0.1',
  wal_level: 'replica',
  // The defaults, which the new directory notes: a replica has at least those of its primary.
  max_connections: '100',
  max_wal_senders: '10',
  max_worker_processes: '8',
  fsync: 'off',
  // A replica that was stopped finds the log that it missed.
  wal_keep_size: '256MB',
}

/** A PostgreSQL server and a streaming replica of it, in a directory. */
export const startReplicated = async (parent: string) => {
  await using opened = new AsyncDisposableStack()
  const options = await prepareDirectory(join(parent, 'postgres'))
  const standby = { ...options, directory: join(parent, 'standby') }
  // A copy of a server that does not run is a base backup.
  const { status } = spawnSync('cp', ['-a', options.directory, standby.directory])
  if (status !== 0) throw new Error('the directory was not copied')
  writeFileSync(join(standby.directory, 'standby.signal'), '')
  giveTo(options.runAs, standby.directory)

  const [port, replicaPort] = [await quietPort(), await quietPort()]
  const password = readPassword(options.directory)
  const urlOf = (number: number) => `postgres://${ROLE}:${password}@127.0.0.1:${number}/postgres`
  const primary = await startProcess({ ...options, parameters: { ...PARAMETERS, port: `${port}` } })
  opened.defer(primary.stop)
  const start = () =>
    startProcess({
      ...standby,
      parameters: {
        ...PARAMETERS,
        port: `${replicaPort}`,
        primary_conninfo: `host=127.0.0.1 port=${port} user=${ROLE} password=${password}`,
        wal_retrieve_retry_interval: '100ms',
      },
    })
  let replica = await start()
  opened.defer(() => replica.stop())
  const owned = opened.move()
  return {
    url: urlOf(port),
    replicaUrl: urlOf(replicaPort),
    stopReplica: () => replica.stop(),
    async startReplica() {
      replica = await start()
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}
