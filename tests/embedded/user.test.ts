import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findBinaries } from '../../server/platform/db/embedded/binaries.ts'
import { eventually } from '../harness/eventually.ts'
import { spawnServer } from '../harness/process.ts'
import { scratch } from '../start/support.ts'
import { AS_ORDINARY, AS_ROOT, canUnshare, refusalOf, stop, untilReady } from './support.ts'

setDefaultTimeout(120_000)

const UNPRIVILEGED = 65_534
const isRoot = process.getuid?.() === 0
const WITHOUT_NAMESPACES = 'echo 0 >/proc/sys/user/max_user_namespaces; exec "$@"'

/** Starts a server, waits until it is ready, and stops it. */
const serve = async (dataDir: string, wrapper: string[]) => {
  await using server = spawnServer({ SVC_DATA_DIR: dataDir }, wrapper)
  await untilReady(await server.url)
  await stop(server)
}

describe.skipIf(!canUnshare)('users in a namespace', () => {
  test('an ordinary user starts svc', async () => {
    using dir = scratch()
    await serve(dir.path, AS_ORDINARY)
    expect(existsSync(join(dir.path, 'postgres/PG_VERSION'))).toBe(true)
  })

  test('root starts svc, and the files stay owned by root', async () => {
    using dir = scratch()
    await serve(dir.path, AS_ROOT)
    for (const name of ['postgres', 'postgres/PG_VERSION', 'postgres/base'])
      expect(statSync(join(dir.path, name)).uid).toBe(process.getuid?.() ?? -1)
  })

  test.skipIf(!isRoot)('an ordinary user is refused a database of another user', async () => {
    using dir = scratch()
    const database = join(dir.path, 'postgres')
    mkdirSync(database, { mode: 0o700 })
    chownSync(database, 12_345, 12_345)
    expect(await refusalOf(dir.path, AS_ORDINARY)).toMatch(
      /^SVC_DATA_DIR: \S+\/postgres belongs to the user with the id \d+, and svc runs as 1000; start svc as that user, or give the directory to 1000 \(chown -R\)$/,
    )
  })

  test('root that can neither create a namespace nor change its user is refused with the fix', async () => {
    using dir = scratch()
    const message = await refusalOf(dir.path, [
      ...['unshare', '--user', '--map-root-user', 'sh', '-ec', WITHOUT_NAMESPACES, 'sh'],
    ])
    expect(message).toMatch(
      /^svc runs as root, which PostgreSQL refuses: no user namespace can be made here, and .*\. Start svc as another user, .* or set SVC_DATABASE_URL to a PostgreSQL server$/,
    )
  })
})

const unprivilegedUserRuns =
  isRoot &&
  spawnSync(findBinaries().postgres, ['--version'], { uid: UNPRIVILEGED, gid: UNPRIVILEGED })
    .status === 0

test.skipIf(!canUnshare || !unprivilegedUserRuns)(
  'root without namespaces runs the database as an unprivileged user, also on a restart',
  async () => {
    using dir = scratch()
    // Root of a namespace with every user of the machine, in which no further namespace can be created.
    // It waits for the user mapping, which this process writes.
    const wrapper = [
      ...['unshare', '--user', 'sh', '-c'],
      `until [ "$(id -u)" = 0 ]; do sleep 0.05; done; exec sh -ec '${WITHOUT_NAMESPACES}' sh "$@"`,
      'sh',
    ]
    for (let start = 0; start < 2; start++) {
      await using server = spawnServer({ SVC_DATA_DIR: dir.path }, wrapper)
      await mapUsers(server.child.pid)
      await untilReady(await server.url)
      await stop(server)
      expect(statSync(join(dir.path, 'postgres', 'PG_VERSION')).uid).toBeGreaterThan(0)
    }
    expect(statSync(join(dir.path, 'auth-secret'))).toMatchObject({ uid: 0 })
  },
)

/** Maps the users of a process's namespace to the same users outside, once the namespace exists. */
const mapUsers = async (pid: number) => {
  const own = () => spawnSync('readlink', [`/proc/${pid}/ns/user`, '/proc/self/ns/user']).stdout
  await eventually(() => {
    const [theirs, ours] = String(own()).split('\n')
    return theirs && theirs !== ours
  })
  for (const kind of ['uid', 'gid']) writeFileSync(`/proc/${pid}/${kind}_map`, '0 0 65536')
}
