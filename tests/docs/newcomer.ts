import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from './page.ts'

/** The programs of a newcomer: Node with npm, curl, git, and those that every Debian has. */
const PROGRAMS = [
  ...['node', 'npm', 'npx', 'curl', 'git', 'sh', 'bash', 'env', 'grep', 'sed', 'find', 'gzip'],
  ...[
    'cat',
    'chmod',
    'cmp',
    'cp',
    'cut',
    'date',
    'dirname',
    'du',
    'echo',
    'head',
    'ln',
    'ls',
    'mkdir',
  ],
  ...[
    'mktemp',
    'mv',
    'printf',
    'readlink',
    'rm',
    'sleep',
    'sort',
    'tail',
    'tr',
    'uname',
    'wc',
    'unshare',
  ],
]

/** `field 0.id` prints a field of the JSON on stdin, for hidden commands. */
const PRELUDE = `
curl() { command curl --fail-with-body "$@"; }
field() { node -p 'process.argv[1].split(".").reduce((part, name) => part[name], JSON.parse(require("fs").readFileSync(0)))' "$1"; }
export PATH="$HOME/.local/bin:$PATH"
trap 'echo "FAILED: $BASH_COMMAND" >&2' ERR
set -eEuo pipefail
`

/**
 * A new clone of the last commit with the changed files of this one, and a home directory, on a machine
 * that has Node and no Bun.
 */
export const createNewcomer = (port: number) => {
  const directory = mkdtempSync(join(tmpdir(), 'svc-newcomer-'))
  const [home, bin, clone, elsewhere] = ['home', 'bin', 'home/svc', 'home/elsewhere'].map((name) =>
    join(directory, name),
  ) as [string, string, string, string]
  for (const folder of [home, bin, elsewhere]) mkdirSync(folder, { recursive: true })
  for (const name of PROGRAMS) {
    const path = Bun.which(name, { PATH: pathWithoutPackages() })
    if (path) symlinkSync(path, join(bin, name))
  }
  cloneWithChanges(clone)
  const env = {
    HOME: home,
    PATH: bin,
    LANG: 'C.UTF-8',
    // Another server may use the default port of this machine. The pages use the default.
    SVC_PORT: String(port),
    SVC_URL: `http://localhost:${port}`,
    // The packages that this machine has downloaded.
    npm_config_cache: `${process.env.HOME}/.npm`,
    BUN_INSTALL_CACHE_DIR: `${process.env.HOME}/.bun/install/cache`,
  }
  const start = (command: string, cwd: string) =>
    Bun.spawn(['bash', '-c', `exec 2>&1\n${command}`], {
      cwd,
      env,
      stdin: 'ignore',
      stdout: 'pipe',
    })
  return {
    clone,
    elsewhere,
    start,
    /** Runs commands as a terminal does. @returns the exit code and the output. */
    async run(commands: string, cwd: string, onText?: (text: string) => Promise<void>) {
      const here = commands.replaceAll('localhost:3000', `localhost:${port}`)
      const child = start(PRELUDE + here, cwd)
      let output = ''
      for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
        output += text
        await onText?.(output)
      }
      return { code: await child.exited, output }
    },
    [Symbol.dispose]: () => rmSync(directory, { recursive: true, force: true }),
  }
}

/** npm and Bun put the packages of this clone into the PATH of a test. */
const pathWithoutPackages = () =>
  (process.env.PATH ?? '')
    .split(':')
    .filter((folder) => !folder.includes('node_modules'))
    .join(':')

const cloneWithChanges = (clone: string) => {
  const git = (args: string[], input?: Buffer) => {
    const { status, stdout, stderr } = spawnSync('git', args, { input, maxBuffer: 2 ** 28 })
    if (status !== 0) throw new Error(`git ${args[0]}: ${stderr}`)
    return stdout
  }
  git(['clone', '--quiet', ROOT, clone])
  const changes = git(['-C', ROOT, 'diff', '--binary', 'HEAD'])
  if (changes.length) git(['-C', clone, 'apply'], changes)
}
