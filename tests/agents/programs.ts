import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** The programs are outside the repository, because they have several hundred megabytes. */
const CACHE = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'svc-tests')

interface Program {
  package: string
  version: string
  command: string
}

/**
 * Installs a program from npm, once for this machine and version.
 * @returns its path; undefined if the registry does not answer. With CI set, that is an error.
 */
export const installProgram = async (program: Program): Promise<string | undefined> => {
  const { package: name, version, command } = program
  const directory = join(CACHE, `${name.replace('/', '+')}@${version}`)
  const path = join(directory, 'node_modules/.bin', command)
  if (existsSync(path)) return path
  const partial = `${directory}.${crypto.randomUUID()}`
  mkdirSync(partial, { recursive: true })
  const npm = Bun.spawn(
    ['npm', 'install', '--no-audit', '--no-fund', '--prefix', partial, `${name}@${version}`],
    { cwd: partial, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' },
  )
  const [stdout, stderr, code] = await Promise.all([
    npm.stdout.text(),
    npm.stderr.text(),
    npm.exited,
  ])
  if (code === 0) {
    try {
      renameSync(partial, directory)
    } catch (error) {
      // Another process installed it meanwhile.
      if (!existsSync(path)) throw error
    }
  }
  rmSync(partial, { recursive: true, force: true })
  if (existsSync(path)) return path
  const reason = `${name}@${version} could not be installed: ${stdout}${stderr}`
  if (process.env.CI) throw new Error(reason)
  process.stderr.write(`tests are skipped: ${reason}\n`)
  return undefined
}
