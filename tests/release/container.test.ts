import { afterAll, beforeAll, expect, onTestFinished, setDefaultTimeout, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import manifest from '../../package.json'
import { hasPrograms } from '../harness/programs.ts'
import { bootWith } from './booted.ts'
import { run, unpackedReleases } from './build.ts'
import { createContainer, DATA_DIR, SVC, USER_ID } from './chroot.ts'

setDefaultTimeout(300_000)

const MAX_BYTES = 270 * 1024 * 1024
const FACT = 'The spare key is under the blue pot.'
const stack = new DisposableStack()
/** Mounting needs root. */
const canRun =
  hasPrograms('debootstrap', 'ip') && (process.getuid?.() === 0 || Boolean(process.env.CI))
let release: string
let container: Awaited<ReturnType<typeof createContainer>>

beforeAll(async () => {
  if (!canRun) return
  const name = `svc-${process.platform}-${process.arch}`
  release = join(stack.use(await unpackedReleases('host')).directory, name)
}, 300_000)
beforeAll(async () => {
  if (canRun) container = stack.use(await createContainer(release))
}, 300_000)
afterAll(() => stack.dispose())

const client = join(import.meta.dir, 'client.ts')
const use = async ({ beside }: { beside(...command: string[]): string[] }, ...args: string[]) =>
  JSON.parse(await run(beside(process.execPath, client, ...args)))

/** The output of `client.ts first` without the key. */
const WORK = {
  common: 400,
  admin: 200,
  remembered: 201,
  recalled: FACT,
  chatted: expect.stringContaining(FACT),
  avatar: 'webp 200',
  hasText: true,
  imported: { imported: 151, deduplicated: 0, failed_count: 0, failed: [] },
  hasBridges: true,
  files: [200],
}

/** The health check of the Containerfile. */
const healthCheck = () => {
  const containerfile = readFileSync(join(import.meta.dir, '../../Containerfile'), 'utf8')
  const [, command = ''] = /^HEALTHCHECK (?:.*\\\n)?\s*(.+)$/m.exec(containerfile) ?? []
  return command
}

test('the health check asks the server at SVC_PORT', async () => {
  const bin = mkdtempSync(join(tmpdir(), 'svc-health-'))
  onTestFinished(() => rmSync(bin, { recursive: true, force: true }))
  symlinkSync(process.execPath, join(bin, 'svc'))
  const asked = new Set<string>()
  using server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch({ url }) {
      asked.add(new URL(url).pathname)
      return new Response()
    },
  })
  const env = { PATH: `${bin}:/usr/bin:/bin`, SVC_PORT: `${server.port}` }
  expect(await Bun.spawn(['sh', '-c', healthCheck()], { env }).exited).toBe(0)
  expect(asked).toEqual(new Set(['/api/ready']))
  server.stop(true)
  expect(await Bun.spawn(['sh', '-c', healthCheck()], { env, stderr: 'ignore' }).exited).toBe(1)
})

test.if(canRun)('the release has at most 270 MiB', async () => {
  const [bytes] = (await run(['du', '--summarize', '--bytes', release])).split('\t')
  expect(Number(bytes)).toBeLessThanOrEqual(MAX_BYTES)
})

test.if(canRun)(
  'the release does its work unprivileged, on a read-only system, without a network',
  async () => {
    let key: string
    {
      await using server = await container.serve()
      const link = /^http\S+\/admin\/claim\?token=\S+$/m.exec(server.shown)?.[0] ?? ''
      expect(server.shown).toContain(`Creating the database in ${DATA_DIR} …\n`)
      expect(server.shown).toMatch(new RegExp(`^ {2}Data +${DATA_DIR}$`, 'm'))
      expect(statSync(`/proc/${server.pid}`).uid).toBe(USER_ID)
      await run(server.beside('sh', '-c', '! ip route get 192.0.2.1'))
      const { key: created, ...found } = await use(server, 'first', link)
      key = created
      expect(found).toEqual(WORK)
      expect(await server.stop('SIGTERM')).toBe(0)
    }
    {
      await using restarted = await container.serve()
      expect(restarted.shown).not.toContain('Creating')
      expect(await use(restarted, 'later', key)).toBe(FACT)
      await restarted.stop('SIGKILL')
    }
    await using recovered = await container.serve()
    expect(await use(recovered, 'later', key)).toBe(FACT)
    expect(await recovered.stop('SIGTERM')).toBe(0)
  },
)

test.if(canRun)('the commands and the health check run beside the server', async () => {
  await using server = await container.serve()
  const { version } = manifest
  expect(await run(server.inside(SVC, '--version'))).toBe(`${version}\n`)
  const shown = await run(server.inside('svc', 'completion', 'bash'))
  expect(shown).toContain(`${SVC} __complete`)
  await run(server.inside('sh', '-c', healthCheck()))
  // PostgreSQL has ended then, and the directory can be removed.
  expect(await server.stop('SIGTERM')).toBe(0)
})

/** systemd starts only with the right to mount its control groups. */
const canBoot =
  canRun &&
  spawnSync('unshare', ['--mount', '--cgroup', 'mount', '-t', 'cgroup2', 'none', '/mnt']).status ===
    0

test.if(canBoot)(
  'the hardened unit does its work under systemd, and is started again',
  async () => {
    await using machine = await bootWith(release)
    const { systemctl, property, logged } = machine
    const link = await logged(/^http\S+\/admin\/claim\?token=\S+$/m, 0)
    const { key, ...found } = await use(machine, 'first', link)
    expect(found).toEqual(WORK)
    expect(await property('User')).toBe('svc')
    await systemctl('kill', '--kill-who=main', '--signal=KILL', 'svc')
    await logged(/Scheduled restart job[\s\S]*svc is running/, 1)
    expect(await use(machine, 'later', key)).toBe(FACT)
    expect(await property('NRestarts')).toBe('1')
    await systemctl('stop', 'svc')
    expect([await property('Result'), await property('ExecMainStatus')]).toEqual(['success', '0'])
    expect(await property('ControlGroup')).toBe('')
  },
)
