import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '../harness/eventually.ts'
import { spawnServer } from '../harness/process.ts'
import { newUser, request } from '../harness/server.ts'
import { temporaryDirectory } from '../harness/temporary.ts'

export const databaseIn = (dataDir: string) => join(dataDir, 'postgres')

/** The PostgreSQL process that uses a data directory. */
export const postgresPid = (dataDir: string): number =>
  Number(readFileSync(join(databaseIn(dataDir), 'postmaster.pid'), 'utf8').split('\n')[0])

/** Whether a process runs; a zombie does not. */
export const isRunning = (pid: number): boolean => {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

export const untilEnded = async (pid: number) => {
  await eventually(() => !isRunning(pid))
}

/** The processes whose command line has this text. */
export const processesWith = (text: string): { pid: number; command: string }[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), command: commandOf(name) }))
    .filter(({ command }) => command.includes(text))

/** The processes whose command line names the database of a data directory. */
export const processesOn = (dataDir: string) => processesWith(databaseIn(dataDir))

const commandOf = (pid: string): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}

/** Waits until a server is ready: on a busy machine its first health check may take too long. */
export const untilReady = async (url: string) => {
  await eventually(async () => (await fetch(`${url}/api/ready`)).status === 200)
}

let prepared: Promise<string> | undefined

/** Starts a server and stops it in order, which creates a database. */
const prepare = async (): Promise<string> => {
  const directory = join(temporaryDirectory('svc-test-embedded-'), 'data')
  await using server = spawnServer({ SVC_DATA_DIR: directory })
  await server.url
  await stop(server)
  return directory
}

/** Puts a database into an empty data directory: a copy of one for all tests of this process. */
export const makeDatabase = async (dataDir: string): Promise<void> => {
  prepared ??= prepare()
  const copied = spawnSync('cp', ['-a', '--reflink=auto', `${await prepared}/.`, dataDir])
  if (copied.status !== 0) throw new Error(copied.stderr.toString())
}

export const stop = async (server: ReturnType<typeof spawnServer>) => {
  server.child.kill('SIGTERM')
  const { code, stderr } = await server.result()
  if (code !== 0) throw new Error(stderr)
}

/** Starts a server that cannot start. @returns its stderr. */
export const refusalOf = async (dataDir: string, wrapper?: string[]): Promise<string> => {
  await using server = spawnServer({ SVC_DATA_DIR: dataDir }, wrapper)
  const { code, stderr } = await server.result()
  if (code !== 1) throw new Error(`ended with ${code}: ${stderr}`)
  return stderr.trimEnd()
}

/** Signs up and stores a memory. @returns a function that checks whether it still exists. */
export const rememberOn = async (url: string) => {
  const user = await newUser({ url })
  const body = { content: 'The spare key is under the blue pot.' }
  const { status } = await request({ url }, 'POST', '/api/remember', { token: user.key, body })
  if (status !== 201) throw new Error(`not remembered: ${status}`)
  return async (later: string): Promise<boolean> => {
    const found = await request({ url: later }, 'POST', '/api/recall', {
      token: user.key,
      body: { query: 'Where is the spare key?' },
    })
    return found.body.memories?.[0]?.content_text === body.content
  }
}

const ROOT_IN_NAMESPACE = ['unshare', '--user', '--map-root-user']

/** Whether this machine lets a test create namespaces. */
export const canUnshare =
  spawnSync('unshare', ['--user', '--map-root-user', '--mount', 'true']).status === 0

/** Runs a command as root of the machine or of a namespace. */
export const AS_ROOT = process.getuid?.() === 0 ? [] : ROOT_IN_NAMESPACE

/** Runs a command as an ordinary user who can read the same files. */
export const AS_ORDINARY =
  process.getuid?.() === 0 ? ['unshare', '--user', '--map-user=1000', '--map-group=1000'] : []

/** Runs `script`, which changes mounts, in a namespace, then executes the server. */
export const withMounts = (script: string): string[] => [
  ...ROOT_IN_NAMESPACE,
  ...['--mount', 'sh', '-ec', `${script}\nexec "$@"`, 'sh'],
]
