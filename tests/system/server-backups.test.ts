import { beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { newAdmin, readSettings, revokedMeanwhile, setSettings } from '../admin/settings-support.ts'
import { claimAdmin } from '../admin/support.ts'
import { eventually } from '../harness/eventually.ts'
import { runSql, startRestartable } from '../harness/http.ts'
import { spawnServer, TEMPORARY } from '../harness/process.ts'
import {
  newUser,
  request,
  startServer,
  type TestServer,
  type TestUser,
  useServer,
} from '../harness/server.ts'

const BACKUPS = '/api/admin/backups'
const server = useServer()
let admin: TestUser

beforeAll(async () => {
  admin = await newAdmin(server.current)
})

type At = Pick<TestServer, 'url'>

const list = async (at: At, { accessToken: token }: Pick<TestUser, 'accessToken'>) =>
  (await request(at, 'GET', BACKUPS, { token })).body

/** Backs up, and waits for the result. */
const backUp = async (at: At, user: Pick<TestUser, 'accessToken'>) => {
  const started = await request(at, 'POST', BACKUPS, { token: user.accessToken })
  expect([started.status, started.body.state]).toEqual([202, 'waiting'])
  return eventually(async () => {
    const { backups } = await list(at, user)
    const [latest] = backups
    return latest.id === started.body.id && latest.finished_at && latest
  })
}

describe('backups of the running server', () => {
  test('a backup is written to the directory that is set, readable by its owner only', async () => {
    const directory = join(mkdtempSync(join(tmpdir(), 'svc-backups-')), 'new')
    await setSettings(server.current, admin, { SVC_BACKUP_DIR: directory })
    const backup = await backUp(server.current, admin)
    expect(backup).toMatchObject({
      state: 'done',
      scheduled: false,
      encrypted: false,
      present: true,
      error: null,
      restore_command: expect.stringMatching(
        new RegExp(`^SVC_DATA_DIR=\\S+ svc admin restore ${backup.path} --force$`),
      ),
    })
    expect(dirname(backup.path)).toBe(directory)
    const file = statSync(backup.path)
    expect([file.size, file.mode & 0o777]).toEqual([backup.size_bytes, 0o600])
    rmSync(backup.path)
    expect((await list(server.current, admin)).backups[0].present).toBe(false)
    const audit = await request(server.current, 'GET', '/api/admin/audit?action=backup', {
      token: admin.accessToken,
    })
    expect(audit.body.entries[0]).toMatchObject({
      action: 'backup.requested',
      subject: backup.id,
      user_id: admin.id,
    })
  })

  test('a backup is encrypted with the passphrase that is set', async () => {
    await setSettings(server.current, admin, { SVC_BACKUP_PASSPHRASE: 'a passphrase of words' })
    const backup = await backUp(server.current, admin)
    expect(backup).toMatchObject({ state: 'done', encrypted: true })
    expect(backup.path).toEndWith('.tar.zst.age')
    expect(await Bun.file(backup.path).text()).toStartWith('age-encryption.org/v1')
    await setSettings(server.current, admin, { SVC_BACKUP_PASSPHRASE: null })
  })

  test('a backup fails with the reason where the directory cannot be written', async () => {
    await setSettings(server.current, admin, { SVC_BACKUP_DIR: '/proc/backups' })
    const backup = await backUp(server.current, admin)
    expect(backup).toMatchObject({
      state: 'failed',
      error: expect.stringMatching(/^The file cannot be written: /),
      restore_command: null,
    })
    await setSettings(server.current, admin, { SVC_BACKUP_DIR: null })
  })

  test('a second backup is refused meanwhile, and one whose server was killed counts as failed', async () => {
    const { database } = server.current
    await runSql(
      database,
      `insert into backups (id, is_scheduled, state) values ('${Bun.randomUUIDv7()}', false, 'running')`,
    )
    const start = () => request(server.current, 'POST', BACKUPS, { token: admin.accessToken })
    const refused = await start()
    expect([refused.status, refused.body.detail]).toEqual([
      409,
      'A backup is being made already; wait until it ends',
    ])
    await runSql(
      database,
      `update backups set alive_at = now() - interval '2 minutes' where state = 'running'`,
    )
    expect((await list(server.current, admin)).backups[0]).toMatchObject({
      state: 'failed',
      error: 'The server stopped before it was done',
    })
    expect(await backUp(server.current, admin)).toMatchObject({ state: 'done' })
  })

  test('a backup that was given up while its process was frozen stays failed, and leaves no file', async () => {
    const { database } = server.current
    // As another process does when this one has not been heard of for a minute.
    await runSql(
      database,
      `create function give_up() returns trigger language plpgsql as
        $$begin new.state := 'failed'; new.error := 'given up'; return new; end$$`,
      `create trigger give_up before update on backups for each row
        when (old.state = 'waiting' and new.state = 'running') execute function give_up()`,
    )
    const started = await request(server.current, 'POST', BACKUPS, { token: admin.accessToken })
    const latest = async () => (await list(server.current, admin)).backups[0]
    await eventually(async () => {
      const backup = await latest()
      return backup.id === started.body.id && backup.state === 'failed' && backup
    })
    await eventually(async () => {
      const logs = await request(server.current, 'GET', '/api/admin/logs?q=given%20up%20while', {
        token: admin.accessToken,
      })
      return logs.body.lines.length > 0
    })
    expect(await latest()).toMatchObject({ state: 'failed', error: 'given up', present: false })
    await runSql(database, 'drop trigger give_up on backups')
  })

  test('the partial file of a backup whose server was killed is deleted by the next one', async () => {
    const { database } = server.current
    const { path } = await backUp(server.current, admin)
    const killed = join(dirname(path), 'svc-killed.tar.zst')
    const partial = `${killed}.${crypto.randomUUID()}.part`
    const other = join(dirname(path), 'of-an-operator.tar.zst.part')
    writeFileSync(partial, '')
    writeFileSync(other, '')
    await runSql(
      database,
      `insert into backups (id, is_scheduled, state, path, host)
      values ('${Bun.randomUUIDv7()}', false, 'failed', '${killed}', 'here')`,
    )
    expect(await backUp(server.current, admin)).toMatchObject({ state: 'done' })
    expect([existsSync(partial), existsSync(other)]).toEqual([false, true])
  })

  test('admins see backups, and start them with a session', async () => {
    const user = await newUser(server.current)
    for (const method of ['GET', 'POST'])
      expect(
        (await request(server.current, method, BACKUPS, { token: user.accessToken })).status,
      ).toBe(403)
    expect((await request(server.current, 'POST', BACKUPS, { token: admin.key })).status).toBe(403)
  })
})

test('a request of an admin who has lost the role meanwhile gets 403 and starts no backup', async () => {
  const other = await newAdmin(server.current)
  const before = await list(server.current, admin)
  const { status, body } = await revokedMeanwhile(server.current, other, 'backups', () =>
    request(server.current, 'POST', BACKUPS, { token: other.accessToken }),
  )
  expect([status, body.detail]).toEqual([403, 'Admin access required'])
  expect(await list(server.current, admin)).toEqual(before)
})

test('a backup fails, instead of not being encrypted, when another secret encrypted the passphrase', async () => {
  await using first = await startRestartable({ SVC_AUTH_SECRET: 'a'.repeat(40) })
  const owner = await newAdmin(first.current)
  await setSettings(first.current, owner, { SVC_BACKUP_PASSPHRASE: 'a passphrase of words' })
  await first.current.stop()
  await runSql(first.database, 'delete from secret_fingerprints')
  await using other = await startServer({ SVC_AUTH_SECRET: 'b'.repeat(40) }, first.database)
  const another = await newAdmin(other)
  expect(await backUp(other, another)).toMatchObject({
    state: 'failed',
    present: false,
    error: expect.stringContaining('SVC_BACKUP_PASSPHRASE cannot be read'),
  })
  await setSettings(other, another, { SVC_BACKUP_PASSPHRASE: null })
  expect(await backUp(other, another)).toMatchObject({ state: 'done', encrypted: false })
})

describe('the schedule', () => {
  /** A job as the schedule queues it. */
  const runSchedule = () =>
    runSql(
      server.current.database,
      `insert into jobs.job (name, data) values ('backup-schedule', '{}')`,
    )

  const scheduled = async () =>
    (await list(server.current, admin)).backups.filter(
      (each: { scheduled: boolean }) => each.scheduled,
    )

  test('the schedule is that of the settings, and keeps the latest backups', async () => {
    await setSettings(server.current, admin, {
      SVC_BACKUP_SCHEDULE: '0 3 * * *',
      SVC_BACKUP_KEEP: '2',
    })
    expect((await list(server.current, admin)).next_at).toMatch(/T03:00:00\.000Z$/)
    const stored = () =>
      runSql(
        server.current.database,
        `select cron from jobs.schedule where name = 'backup-schedule'`,
      )
    await eventually(async () => (await stored())[0]?.cron === '0 3 * * *')

    const made: { id: string; path: string }[] = []
    for (let count = 1; count <= 3; count++) {
      await runSchedule()
      const latest = await eventually(async () => {
        const [first] = await scheduled()
        const isNew = !made.some(({ id }) => id === first?.id)
        return first && isNew && first.state === 'done' && first
      })
      made.push(latest)
      // As after an update: a recreated container has another name and the same files.
      await runSql(server.current.database, `update backups set host = 'earlier-container'`)
    }
    await eventually(async () => (await scheduled()).length === 2)
    expect((await scheduled()).map(({ id }: { id: string }) => id)).toEqual(
      made
        .toReversed()
        .slice(0, 2)
        .map(({ id }) => id),
    )
    expect(made.map(({ path }) => existsSync(path))).toEqual([false, true, true])
    for (const backup of await scheduled()) expect(backup.present).toBe(true)

    await setSettings(server.current, admin, { SVC_BACKUP_SCHEDULE: null })
    await eventually(async () => (await stored()).length === 0)
    expect((await list(server.current, admin)).next_at).toBeNull()
  })
})

test('the shown command restores the embedded database of a server, with its settings', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'svc-restored-'))
  const dataDir = join(parent, "the server's data")
  const started = async () => {
    const child = spawnServer({ SVC_DATA_DIR: dataDir })
    return { child, at: { url: await child.url } }
  }
  const stop = async (child: ReturnType<typeof spawnServer>) => {
    child.child.kill('SIGTERM')
    await child.result()
  }
  const first = await started()
  const owner = await newUser(first.at)
  const claimLink = /http\S+\/admin\/claim\?token=\S+/.exec(first.child.output())?.[0]
  const baseUrl = new URL(claimLink ?? '').origin
  await claimAdmin({ ...first.at, baseUrl, claimLink }, owner)
  await setSettings(first.at, owner, { SVC_MAIL_FROM: 'kept@example.com' })
  const { path, restore_command } = await backUp(first.at, owner)
  expect(existsSync(path)).toBe(true)
  await setSettings(first.at, owner, { SVC_MAIL_FROM: 'lost@example.com' })
  await stop(first.child)

  const restored = Bun.spawnSync(['sh', '-c', restore_command], {
    env: { PATH: process.env.PATH, HOME: '/nonexistent', ...TEMPORARY },
    cwd: join(import.meta.dir, '../..'),
  })
  expect([restored.exitCode, restored.stderr.toString()]).toEqual([
    0,
    expect.stringContaining('Restored'),
  ])
  const second = await started()
  const { body } = await request(second.at, 'POST', '/api/auth/signin', {
    body: { email: owner.email, password: 'correct horse battery staple' },
  })
  const settings = await readSettings(second.at, { accessToken: body.access_token })
  expect(settings.SVC_MAIL_FROM?.value).toBe('kept@example.com')
  await stop(second.child)
  rmSync(parent, { recursive: true, force: true })
})
