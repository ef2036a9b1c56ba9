import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copyWithout } from '../../scripts/structure/removal.ts'
import { ROOT } from '../../scripts/structure/sources.ts'
import { allFeatures } from '../../server/features.ts'
import { OPTIONAL_FEATURES, type OptionalFeatureName } from '../../shared/features.ts'
import { createDatabase } from '../harness/database.ts'
import { spawnServer } from '../harness/process.ts'
import { newUser, request } from '../harness/server.ts'

// Two compilations each, on processors that other tests share.
setDefaultTimeout(600_000)

const COMPILER = join(ROOT, 'node_modules/.bin/tsc')

/** The programs, without the tests and benches, which know every feature. */
const PROGRAMS = {
  extends: './tsconfig.json',
  include: ['server', 'cli', 'mcp', 'shared'],
  exclude: ['mcp/app/view'],
}

const run = async (folder: string, ...command: string[]) => {
  const child = Bun.spawn(command, {
    cwd: folder,
    stdout: 'pipe',
    stderr: 'pipe',
    env: process.env,
  })
  const [code, stdout, stderr] = await Promise.all([
    child.exited,
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  return { code, output: stdout + stderr }
}

/** Several checkers would repeat much of the work of each other, and other tests use the processors. */
const compile = (folder: string, project: string) =>
  run(folder, COMPILER, '--noEmit', '--checkers', '1', '-p', project)

const compiles = async (folder: string) => {
  writeFileSync(join(folder, 'programs.json'), JSON.stringify(PROGRAMS))
  const ended = { code: 0, output: '' }
  expect(await Promise.all([compile(folder, 'programs.json'), compile(folder, 'console')])).toEqual(
    [ended, ended],
  )
}

const rowsOf = (option: OptionalFeatureName) =>
  allFeatures.find((feature) => feature.option === option)?.rows ?? []

/** Signs up, remembers, recalls and opens the console. */
const smokeTest = async (server: { url: string }, feature: OptionalFeatureName) => {
  const { accessToken: token } = await newUser(server)
  const written = await request(server, 'POST', '/api/remember', {
    token,
    body: { content: 'The boat is called Albatross.' },
  })
  expect(written.status).toBe(201)
  const recalled = await request(server, 'POST', '/api/recall', {
    token,
    body: { query: 'name of the boat' },
  })
  expect(JSON.stringify(recalled.body)).toContain('Albatross')

  const { paths } = (await request(server, 'GET', '/api/docs/json')).body
  for (const { path } of rowsOf(feature)) expect(paths).not.toHaveProperty([path])
  const { body } = await request(server, 'GET', '/api/health/detail')
  const states = Object.keys((body.detail ?? body).features)
  expect(states).toEqual(OPTIONAL_FEATURES.filter((name) => name !== feature))
  const page = await fetch(`${server.url}/app`)
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<script')])
}

describe('the source without the folders and lines of a feature', () => {
  for (const feature of OPTIONAL_FEATURES)
    test(`${feature}: compiles, migrates an empty database, and serves the rest`, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'svc-without-'))
      const database = await createDatabase({ isEmpty: true })
      try {
        copyWithout(ROOT, folder, feature)
        await compiles(folder)
        const program = [process.execPath, join(folder, 'cli/main.ts'), 'serve']
        await using server = spawnServer(database.env, [], program)
        await smokeTest({ url: await server.url }, feature)
        const help = await run(folder, process.execPath, join(folder, 'cli/main.ts'), 'help')
        expect(help.code).toBe(0)
      } finally {
        await database.drop()
        rmSync(folder, { recursive: true, force: true })
      }
    })
})
