import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { ROLE, readPassword } from '../../server/platform/db/embedded/directory.ts'
import { prepareDirectory } from '../../server/platform/db/embedded/open.ts'
import { startProcess } from '../../server/platform/db/embedded/process.ts'
import { quietPort } from './ports.ts'
import { temporaryDirectory } from './temporary.ts'

/** A server for many short-lived databases; its data is not kept. */
const PARAMETERS = {
  listen_addresses: '127.0.0.1',
  max_connections: '500',
  shared_buffers: '128MB',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum_max_workers: '2',
}

export interface PostgresServer extends AsyncDisposable {
  url: string
}

/** The PostgreSQL that svc ships with, on a port. It ends with this process. */
export const startPostgres = async (): Promise<PostgresServer> => {
  const parent = temporaryDirectory('svc-test-postgres-')
  const options = await prepareDirectory(join(parent, 'postgres'))
  const port = await quietPort()
  const server = await startProcess({
    ...options,
    parameters: { ...PARAMETERS, port: String(port) },
  })
  return {
    url: `postgres://${ROLE}:${readPassword(options.directory)}@127.0.0.1:${port}/postgres`,
    async [Symbol.asyncDispose]() {
      await server.stop()
      rmSync(parent, { recursive: true, force: true })
    },
  }
}
