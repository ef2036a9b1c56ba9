import { rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { ROLE, readPassword } from '../../server/platform/db/embedded/directory.ts'
import { prepareDirectory } from '../../server/platform/db/embedded/open.ts'
import { startProcess } from '../../server/platform/db/embedded/process.ts'
import { canMount, mountSmall, run } from '../harness/mount.ts'
import { quietPort } from '../harness/ports.ts'
import { temporaryDirectory } from '../harness/temporary.ts'

const DISK = '1g'
const PARAMETERS = {
  listen_addresses: '127.0.0.1',
  max_connections: '200',
  // Far below the size of the disk.
  max_wal_size: '128MB',
}
const RESTART_PAUSE_MS = 200

export interface FaultyPostgres extends AsyncDisposable {
  port: number
  /** @param port that of a link, or of the server. */
  url(port: number): string
  /** Ends the server with kill -9. It is started again. */
  kill(): void
  /** Undefined where this process may not mount a file system. */
  disk: { fill(): void; free(): void } | undefined
}

/** A PostgreSQL on a small disk that is started again whenever it ends, as a supervisor does. */
export const startFaultyPostgres = async (): Promise<FaultyPostgres> => {
  await using opened = new AsyncDisposableStack()
  const parent = temporaryDirectory('svc-test-faults-')
  if (canMount) opened.use(mountSmall(parent, DISK))
  const options = await prepareDirectory(join(parent, 'postgres'))
  const port = await quietPort()
  const parameters = { ...PARAMETERS, port: String(port) }
  let running = await startProcess({ ...options, parameters })
  let isStopping = false
  const supervise = async () => {
    for (;;) {
      await running.exited
      if (isStopping) return
      await Bun.sleep(RESTART_PAUSE_MS)
      // A start fails while the disk is full.
      running = await startProcess({ ...options, parameters }).catch(() => running)
    }
  }
  const supervised = supervise()
  opened.defer(async () => {
    isStopping = true
    await running.stop()
    await supervised
  })
  const ballast = join(parent, 'ballast')
  const owned = opened.move()
  return {
    port,
    url: (linked) =>
      `postgres://${ROLE}:${readPassword(options.directory)}@127.0.0.1:${linked}/postgres`,
    kill: () => void process.kill(running.pid, 'SIGKILL'),
    disk: canMount
      ? {
          fill() {
            const { bavail, bsize } = statfsSync(parent)
            run('fallocate', '-l', String(bavail * bsize), ballast)
          },
          free: () => rmSync(ballast, { force: true }),
        }
      : undefined,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}
