import { expect, onTestFinished, test } from 'bun:test'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { startCommand } from '../../cli/executable.ts'
import { bin, version } from '../../package.json'
import { newMachine } from './svc.ts'

const root = resolve(import.meta.dir, '../..')
const script = join(root, 'svc')

/** A folder with a space in its name. */
const newFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc name-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const run = async (command: string[], cwd: string, PATH = '/usr/bin:/bin') => {
  const child = Bun.spawn(command, {
    cwd,
    env: { PATH, HOME: newFolder() },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()])
  return { code: await child.exited, stdout, stderr }
}

const PATH_WITH_BUN = `${join(root, 'node_modules/.bin')}:/usr/bin:/bin`

const signInHint = async (...args: Parameters<typeof run>) =>
  /Run: (.*) login/.exec((await run(...args)).stderr)?.[1]

test('./svc starts svc in a clone without an installed Bun, and hints name it', async () => {
  expect(await run(['./svc', '--version'], root)).toMatchObject({ code: 0, stdout: `${version}\n` })
  expect(await signInHint(['./svc', 'whoami'], root)).toBe('./svc')
})

/** svc in the folder of the clone. */
const inClone = (PATH = '/usr/bin:/bin') => {
  const machine = newMachine()
  Object.assign(machine.env, { PATH })
  machine.cwd = root
  return machine
}

test('hints and help name ./svc in a clone', async () => {
  const machine = inClone()
  expect((await machine.svc(['whoami'])).stderr).toContain('Run: ./svc login')
  expect((await machine.svc(['whoam'])).stderr).toContain('Run: ./svc --help')
  expect((await machine.svc(['--help'])).stdout).toContain('To start, run: ./svc login')
  const help = (await machine.svc(['chat', '--help'])).stdout
  for (const part of ['Usage: ./svc chat', '\n  ./svc chat "', '| ./svc chat "'])
    expect(help).toContain(part)
})

test('svc starts from another folder, and hints name its path', async () => {
  const folder = newFolder()
  expect(await signInHint([script, 'whoami'], folder)).toBe(script)
})

test('a symbolic link in the PATH starts svc, and hints name it svc', async () => {
  const folder = newFolder()
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  symlinkSync(script, join(folder, 'target'))
  symlinkSync('../target', join(bin, 'svc'))
  expect(await signInHint(['svc', 'whoami'], folder, `${bin}:/usr/bin:/bin`)).toBe('svc')
  expect(await signInHint(['sh', 'svc', 'whoami'], bin)).toBe(script)
})

test('another svc in the PATH is not named in hints', async () => {
  const folder = newFolder()
  copyFileSync('/bin/true', join(folder, 'svc'))
  const { stderr } = await inClone(`${folder}:/usr/bin:/bin`).svc(['whoami'])
  expect(stderr).toContain('Run: ./svc login')
})

test('without the dependencies svc names the command that installs them', async () => {
  const folder = newFolder()
  copyFileSync(script, join(folder, 'svc'))
  expect(await run(['./svc', 'whoami'], folder)).toEqual({
    code: 1,
    stdout: '',
    stderr: `error: The dependencies of svc are not installed.\nTo install them and start the server, run: npm start --prefix "${folder}"\n`,
  })
})

/** A folder whose files would change a Bun that reads them. */
const newHostileFolder = (env: string) => {
  const folder = newFolder()
  writeFileSync(join(folder, '.env'), env)
  writeFileSync(join(folder, 'bunfig.toml'), 'preload = ["./preload.ts"]\n')
  writeFileSync(join(folder, 'preload.ts'), "console.log('preloaded')\n")
  return folder
}

test.each([
  ['svc', [script]],
  ['the svc of package.json', [join(root, bin.svc)]],
  ['the command of completions and MCP clients', startCommand()],
])('%s ignores the .env and the bunfig.toml of the current folder', async (_, command) => {
  const folder = newHostileFolder('SVC_URL=http://127.0.0.1:1\n')
  const { stdout } = await run([...command, 'config', 'list', '--json'], folder, PATH_WITH_BUN)
  expect(JSON.parse(stdout).url).toEqual({ value: 'http://localhost:3000', from: 'default' })
})

test('the svc-mcp of package.json ignores the .env and the bunfig.toml of the current folder', async () => {
  const folder = newHostileFolder('SVC_MCP_TOOLS=unknown\n')
  const ended = await run([join(root, bin['svc-mcp'])], folder, PATH_WITH_BUN)
  expect(ended).toEqual({ code: 0, stdout: '', stderr: '' })
})
