import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { chooseUser } from '../../server/platform/db/embedded/run-as.ts'
import type { TestDatabase } from './database.ts'
import { isInUse, quietPort } from './ports.ts'
import { PATH } from './programs.ts'

/** The configuration of the guide, for a database and with few connections to it. */
const configOf = async (database: URL, port: number, users: string): Promise<string> => {
  const guide = await Bun.file(resolve(import.meta.dir, '../../docs/how-to/database.md')).text()
  const [, config = ''] = /^```ini\n(.*?)^```/ms.exec(guide) ?? []
  const name = database.pathname.slice(1)
  return `${config
    .replace(/^svc = .*$/m, `${name} = host=${database.hostname} port=${database.port || 5432}`)
    .replace(/^listen_port = .*$/m, `listen_port = ${port}`)
    .replace(/^auth_file = .*$/m, `auth_file = ${users}`)
    .replace(/^default_pool_size = .*$/m, 'default_pool_size = 5')}
unix_socket_dir =
`
}

/** PgBouncer before a database, as an unprivileged user. */
export const startPgBouncer = async ({ env }: TestDatabase) => {
  const directory = mkdtempSync(join(tmpdir(), 'svc-test-pgbouncer-'))
  const url = new URL(env.SVC_DATABASE_URL)
  const port = await quietPort()
  const [users, settings] = [join(directory, 'userlist.txt'), join(directory, 'pgbouncer.ini')]
  writeFileSync(settings, await configOf(url, port, users))
  url.host = `127.0.0.1:${port}`
  // A server without passwords asks for none.
  url.password ||= 'unused'
  writeFileSync(users, `"${url.username}" "${decodeURIComponent(url.password)}"\n`)
  const program = Bun.which('pgbouncer', { PATH }) ?? 'pgbouncer'
  const { prefix, uid, gid } = chooseUser(directory, program)

  const launch = async () => {
    const [command = '', ...args] = [...prefix, program, settings]
    const child = spawn(command, args, { uid, gid, stdio: ['ignore', 'ignore', 'pipe'] })
    let output = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
    const ended = once(child, 'close')
    while (!(await isInUse(port))) {
      if (child.exitCode !== null) throw new Error(`PgBouncer ended: ${output}`)
      await Bun.sleep(10)
    }
    return async () => {
      child.kill('SIGTERM')
      await ended
    }
  }
  let stop = await launch()
  return {
    env: { ...env, SVC_DATABASE_URL: url.href },
    url: url.href,
    /** Ends PgBouncer with all connections, and starts it again after `meanwhile`. */
    async restart(meanwhile: () => Promise<unknown>) {
      await stop()
      await meanwhile()
      stop = await launch()
    },
    async [Symbol.asyncDispose]() {
      await stop()
      rmSync(directory, { recursive: true })
    },
  }
}
