import { mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROLE, readPassword } from '../../server/platform/db/embedded/directory.ts'
import { prepareDirectory } from '../../server/platform/db/embedded/open.ts'
import { startProcess } from '../../server/platform/db/embedded/process.ts'
import { quietPort } from './ports.ts'

const PREFIX = 'svc-test-postgres-'
const MEMORY = '/dev/shm'
const MEMORY_BYTES = 4 * 2 ** 30

/** A server for many short-lived databases; its data is not kept. */
const SETTINGS = {
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
  const parent = temporaryDirectory()
  const options = await prepareDirectory(join(parent, 'postgres'))
  const port = await quietPort()
  const server = await startProcess({ ...options, settings: { ...SETTINGS, port: String(port) } })
  const remove = () => rmSync(parent, { recursive: true, force: true })
  process.once('exit', remove)
  return {
    url: `postgres://${ROLE}:${readPassword(options.directory)}@127.0.0.1:${port}/postgres`,
    async [Symbol.asyncDispose]() {
      await server.stop()
      remove()
    },
  }
}

/** In memory where this machine has enough of it. Deletes the directories of killed runs. */
const temporaryDirectory = (): string => {
  const base = hasMemory() ? MEMORY : tmpdir()
  for (const name of readdirSync(base)) {
    const pid = name.startsWith(PREFIX) && Number(name.slice(PREFIX.length).split('-')[0])
    if (pid && !isRunning(pid)) rmSync(join(base, name), { recursive: true, force: true })
  }
  return mkdtempSync(join(base, `${PREFIX}${process.pid}-`))
}

const hasMemory = (): boolean => {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize > MEMORY_BYTES
  } catch {
    return false
  }
}

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
