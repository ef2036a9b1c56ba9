import { expect, setDefaultTimeout, test } from 'bun:test'
import { copyFileSync, existsSync, readdirSync, realpathSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { newMachine } from '../cli/svc.ts'
import { ROOT } from '../docs/page.ts'
import { spawnServer } from '../harness/process.ts'
import { populate, scratch, serverPlace, stop, viewOf } from './support.ts'

setDefaultTimeout(300_000)

/** A folder that looks like a clone without a data directory. */
const createClone = (): string => {
  const folder = scratch()
  for (const name of readdirSync(ROOT))
    if (!name.startsWith('.') && !['svc', 'data', 'dist'].includes(name))
      symlinkSync(join(ROOT, name), join(folder, name))
  copyFileSync(join(ROOT, 'svc'), join(folder, 'svc'))
  return folder
}

/** A newcomer in a folder, who sets no variable of the server. */
const newcomer = (folder: string, svc: string) => {
  const { env } = newMachine()
  const run = async (args: string[], variables: Record<string, string> = {}) => {
    const child = Bun.spawn([svc, ...args], {
      cwd: folder,
      env: { ...env, ...variables },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()])
    return { code: await child.exited, stdout, stderr }
  }
  return {
    run,
    /** Runs a command that must succeed. */
    async admin(args: string[], variables?: Record<string, string>) {
      const { code, stderr } = await run(['admin', ...args], variables)
      expect([args, code, code === 0 ? '' : stderr]).toEqual([args, 0, ''])
    },
    async withServer<T>(work: (url: string) => Promise<T>): Promise<T> {
      await using server = spawnServer({}, ['env', '-C', folder], [svc, 'serve'])
      const result = await work(await server.url)
      await stop(server)
      return result
    },
  }
}

test('without a variable, each admin command on the database works on ./data, with relative paths of archives', async () => {
  const folder = scratch()
  // A release starts in half of the time; the other tests use a clone.
  const { admin, withServer } = newcomer(folder, process.env.TEST_SVC || join(ROOT, 'svc'))
  const dataDir = join(folder, 'data')
  const { user, view } = await withServer(async (url) => {
    const user = await populate({ SVC_DATA_DIR: dataDir }, url, 5)
    await admin(['backup', 'running.tar.zst'])
    await admin(['check'])
    return { user, view: await viewOf(user, url) }
  })
  const expectView = () => withServer(async (url) => expect(await viewOf(user, url)).toEqual(view))

  await admin(['backup', './stopped.tar.zst'])
  await admin(['check', '--repair'])
  await admin(['upgrade'])
  await admin(['restore', 'running.tar.zst', '--force'])
  const { SVC_DATABASE_URL } = await serverPlace()
  await admin(['move', '--to', SVC_DATABASE_URL])
  await admin(['move', '--to', 'embedded', '--force'], { SVC_DATABASE_URL })
  await expectView()
  await admin(['restore', 'stopped.tar.zst', '--force'])
  await expectView()
  expect(readdirSync(dataDir).filter((name) => /restoring|incoming|new/.test(name))).toEqual([])
})

test('without a variable in a clone, the server and the admin commands use its ./data', async () => {
  const clone = createClone()
  const { admin, withServer } = newcomer(clone, join(clone, 'svc'))
  const user = await withServer(async (url) => {
    const user = await populate({ SVC_DATA_DIR: join(clone, 'data') }, url, 1)
    await admin(['backup', 'running.tar.zst'])
    return user
  })
  await admin(['restore', './running.tar.zst', '--force'])
  await withServer(async (url) => expect((await viewOf(user, url)).memories).toHaveLength(1))
  expect(existsSync(join(clone, 'running.tar.zst'))).toBe(true)
})

test('an admin command in a folder without ./data names the missing directory, and creates none', async () => {
  const folder = scratch()
  const { run } = newcomer(folder, join(ROOT, 'svc'))
  for (const args of [['backup', 'backup.tar.zst'], ['check'], ['upgrade']]) {
    const { code, stderr } = await run(['admin', ...args])
    expect([args, code, stderr]).toEqual([
      args,
      1,
      expect.stringContaining(
        `SVC_DATA_DIR: ${join(realpathSync(folder), 'data')} has no database`,
      ),
    ])
  }
  expect(existsSync(join(folder, 'data'))).toBe(false)
})
