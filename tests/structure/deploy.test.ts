import { describe, expect, test } from 'bun:test'
import { join, resolve } from 'node:path'
import manifest from '../../package.json'
import { hasPrograms } from '../harness/programs.ts'
import { DATA_DIR, SUITE, SVC, USER_ID } from '../release/chroot.ts'

const ROOT = resolve(import.meta.dir, '../..')
const read = (path: string) => Bun.file(join(ROOT, path)).text()

interface Service {
  image: string
  build?: { context: string; dockerfile: string }
  environment: Record<string, string>
  volumes: string[]
  ports?: string[]
  read_only?: boolean
  tmpfs?: string[]
  cap_drop?: string[]
  security_opt?: string[]
  depends_on?: Record<string, { condition: string }>
  healthcheck?: { test: string[] }
}

const compose = async (path: string) =>
  Bun.YAML.parse(await read(path)) as {
    services: Record<string, Service>
    volumes: Record<string, null>
    configs?: Record<string, { content: string }>
  }

describe('the Containerfile', () => {
  test('the Containerfile has the version of Bun that the packages have, and the tested Debian', async () => {
    const images = [...(await read('Containerfile')).matchAll(/^FROM (\S+)/gm)].map(
      ([, name]) => name,
    )
    expect(images).toEqual([
      `docker.io/oven/bun:${manifest.dependencies.bun}-slim`,
      `docker.io/library/debian:${SUITE}-slim`,
    ])
  })

  test('the Containerfile serves as the tested user, with the tested paths', async () => {
    const text = await read('Containerfile')
    const value = (name: string) => new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1]
    expect(text).toContain(`useradd --uid ${USER_ID} --gid svc`)
    expect(value('USER')).toBe('svc')
    expect(value('VOLUME')).toBe(DATA_DIR)
    expect(value('ENV')).toBe(`SVC_HOST=0.0.0.0 SVC_PORT=3000 SVC_DATA_DIR=${DATA_DIR}`)
    expect(value('EXPOSE')).toBe('3000')
    expect([value('ENTRYPOINT'), value('CMD')]).toEqual([`["${SVC}"]`, '["serve"]'])
  })
})

describe('the compose files', () => {
  const files = ['compose.yaml', 'compose.embedded.yaml']

  test('the compose files build the Containerfile and run it read-only, without capabilities, on a local port', async () => {
    for (const file of files) {
      const { services, volumes } = await compose(file)
      const { svc } = services
      expect(svc).toMatchObject({
        build: { context: '.', dockerfile: 'Containerfile' },
        ports: ['127.0.0.1:3000:3000'],
        read_only: true,
        tmpfs: ['/tmp'],
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        volumes: [`data:${DATA_DIR}`],
      })
      const named = Object.values(services).flatMap(({ volumes }) =>
        volumes.map((volume) => volume.split(':')[0]),
      )
      expect(named.toSorted()).toEqual(Object.keys(volumes).toSorted())
    }
  })

  test('the compose files run two web processes and a worker that differ in their role only, behind the documented Caddy', async () => {
    const { services, configs } = await compose('compose.scale.yaml')
    const { 'web-1': first, 'web-2': second, worker, caddy } = services
    const { svc } = (await compose('compose.yaml')).services
    expect(second).toEqual(first as Service)
    expect(worker).toEqual({
      ...(first as Service),
      environment: { ...first?.environment, SVC_ROLE: 'worker' },
    })
    expect(first?.environment).toMatchObject({
      SVC_ROLE: 'web',
      SVC_AUTH_SECRET: expect.any(String),
      SVC_DATABASE_URL: svc?.environment.SVC_DATABASE_URL,
    })
    for (const name of [
      'build',
      'read_only',
      'tmpfs',
      'cap_drop',
      'security_opt',
      'volumes',
    ] as const)
      expect(first?.[name]).toEqual(svc?.[name])
    expect(caddy?.ports).toEqual(['127.0.0.1:3000:3000'])
    const [, site = ''] = /```caddyfile\n(.*?)```/s.exec(await read('docs/how-to/scaling.md')) ?? []
    const expected = site
      .replace('svc.example.com', ':3000')
      .replace('10.0.0.1', 'web-1')
      .replace('10.0.0.2', 'web-2')
    expect(configs?.caddyfile?.content).toBe(expected)
  })

  test('the compose files connect to the PostgreSQL beside svc, or to none', async () => {
    const { services } = await compose('compose.yaml')
    const { svc, postgres } = services
    expect(svc?.environment.SVC_DATABASE_URL).toBe(
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of compose
      'postgres://svc:${POSTGRES_PASSWORD:?set a password}@postgres:5432/svc',
    )
    expect(postgres?.environment).toMatchObject({ POSTGRES_USER: 'svc', POSTGRES_DB: 'svc' })
    expect(postgres?.image).toContain('/pgvector:')
    expect(svc?.depends_on).toEqual({ postgres: { condition: 'service_healthy' } })
    const embedded = await compose('compose.embedded.yaml')
    expect(Object.keys(embedded.services)).toEqual(['svc'])
    expect(embedded.services.svc?.environment).not.toHaveProperty('SVC_DATABASE_URL')
  })
})

describe.if(hasPrograms('systemd-analyze'))('the systemd unit', () => {
  const unit = join(ROOT, 'deploy/svc.service')
  const analyze = async (...args: string[]) => {
    const child = Bun.spawn(['systemd-analyze', ...args], { stdout: 'pipe', stderr: 'pipe' })
    const output = (await child.stdout.text()) + (await child.stderr.text())
    return { code: await child.exited, output }
  }

  test('the systemd unit is hardened: its exposure is below 2 of 10', async () => {
    const { code, output } = await analyze('security', '--offline=true', '--threshold=20', unit)
    expect([code, output]).toEqual([0, expect.stringContaining('ProtectSystem=')])
  })

  test('the systemd unit has known settings only', async () => {
    const { output } = await analyze('verify', unit)
    // The executable is not installed on this machine.
    const complaints = output.split('\n').filter((line) => line && !/opt\/svc\/svc/.test(line))
    expect(complaints).toEqual([])
  })
})
