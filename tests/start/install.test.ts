import { expect, setDefaultTimeout, test } from 'bun:test'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { scratch } from './support.ts'

setDefaultTimeout(120_000)

const ROOT = join(import.meta.dir, '../..')

/** Copies what `npm` reads of a clone, and runs it there with an empty home. */
const runNpm = async (
  directory: string,
  args: string[],
  env: Record<string, string | undefined> = {},
) => {
  for (const name of ['package.json', '.npmrc', 'bun.lock', 'patches', 'scripts'])
    cpSync(join(ROOT, name), join(directory, 'svc', name), { recursive: true })
  const child = Bun.spawn(['npm', ...args], {
    cwd: join(directory, 'svc'),
    env: { PATH: process.env.PATH, HOME: directory, ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const output = await Promise.all([child.stdout.text(), child.stderr.text()])
  return { code: await child.exited, output: output.join('') }
}

test('npm start without a network reports the registry and the reason, without a long wait', async () => {
  using dir = scratch()
  const { code, output } = await runNpm(dir.path, ['start'], {
    PATH: process.env.PATH?.replaceAll(join(ROOT, 'node_modules/.bin'), ''),
    npm_config_registry: 'http://127.0.0.1:9',
  })
  expect(code).toBe(1)
  const shown = output.slice(output.indexOf('Installing')).replace(/^ {2}… \d+ MB\n/gm, '')
  expect(shown).toBe(`Installing the packages of svc (about 220 MB to download, only this time) …
error: The packages of svc could not be installed: the registry of npm cannot be reached
FetchError: request to http://127.0.0.1:9/bun failed, reason: connect ECONNREFUSED 127.0.0.1:9
Check the network, the proxy (HTTPS_PROXY) and the registry (npm config get registry), and run the command again.
`)
})

test('npm install finds versions for all packages, and its errors are visible', async () => {
  using dir = scratch()
  const home = { HOME: process.env.HOME }
  const { code, output } = await runNpm(
    dir.path,
    ['install', '--dry-run', '--ignore-scripts', '--prefer-offline'],
    home,
  )
  expect([output, code]).toEqual([expect.stringMatching(/^added \d+ packages/m), 0])
  const wrong = await runNpm(dir.path, ['install', '--dry-run', 'file:nothing'], home)
  expect(wrong.output).toContain('npm error')
}, 300_000)
