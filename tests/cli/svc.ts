import { onTestFinished } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Clock, InputStream, OutputStream } from '../../cli/runtime.ts'
import type { Server } from '../../server/start.ts'
import { CLONE, SVC, TEMPORARY } from '../harness/process.ts'
import { newUser, request, type TestUser } from '../harness/server.ts'
import { createTerminal, pipedInput, pipedOutput, type Running, startInProcess } from './runtime.ts'

const root = resolve(import.meta.dir, '../..')

export interface Ended {
  code: number
  stdout: string
  stderr: string
}

export interface SvcOptions {
  env?: Record<string, string>
  /** The text for stdin. Default: empty. */
  stdin?: string | Uint8Array<ArrayBuffer> | InputStream
  /** In place of a pipe whose text is collected; only in this process. */
  stdout?: OutputStream
  /** Only in this process. */
  clock?: Clock
}

/** A user's machine: a separate home directory, in which `svc` runs. */
export interface Machine {
  configDir: string
  credentialsFile: string
  /** The environment of `svc`, without the variables of this machine. */
  env: Record<string, string>
  /** The current folder of `svc`. */
  cwd?: string
  /** The command of a process of `svc`. */
  command(...args: string[]): string[]
  /** Runs `svc` in this process, or in one of its own if it serves or works on a database. */
  svc(args: string[], options?: SvcOptions): Promise<Ended>
  /** Runs a process of `svc`. */
  run(args: string[], options?: SvcOptions): Promise<Ended>
  /** Starts `svc` in this process. */
  start(args: string[], options?: SvcOptions): Started
}

/** `svc` in this process, with the same members as a child process. */
export interface Started extends Running {
  stdout: ReadableStream<Uint8Array>
  stderr: ReadableStream<Uint8Array>
  ended: Promise<Ended & { bytes: Buffer }>
}

/** The commands that use the signals, the streams or the database of their process. */
const OF_PROCESS = /^(?:serve|start|mcp run|admin (?!users|tier|engines|handlers|jobs).*)$/

const needsProcess = (args: string[]): boolean => {
  const words = args.filter((word) => !word.startsWith('-')).slice(0, 2)
  return OF_PROCESS.test(words.join(' ')) || words[0] === 'serve'
}

/**
 * Creates a machine for one test.
 * @param url the value of SVC_URL.
 */
export const newMachine = (url?: string): Machine => {
  const home = mkdtempSync(join(tmpdir(), 'svc-cli-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const configDir = join(home, 'config')
  const env = {
    HOME: home,
    // `svc` is installed: hints name it without a folder.
    PATH: `${root}:${process.env.PATH ?? ''}`,
    SVC_CONFIG_DIR: configDir,
    ...TEMPORARY,
    ...(url && { SVC_URL: url }),
  }
  // The clone prints how to start svc; a release is one of a whole test run.
  const command = (...args: string[]) => {
    const isOfClone = args.find((each) => !each.startsWith('-')) === 'completion'
    return [...(isOfClone ? CLONE : SVC), ...args]
  }
  const machine: Machine = {
    configDir,
    credentialsFile: join(configDir, 'credentials.json'),
    env,
    command,
    svc: async (args, options) => {
      if (needsProcess(args) && !args.includes('--help')) return machine.run(args, options)
      const { code, stdout, stderr } = await machine.start(args, options).ended
      return { code, stdout, stderr }
    },
    async run(args, { env: added, stdin } = {}) {
      const child = Bun.spawn(command(...args), {
        env: { ...env, ...added },
        ...(machine.cwd && { cwd: machine.cwd }),
        stdin: stdin === undefined ? 'ignore' : new Blob([await contentOf(stdin)]),
        stdout: 'pipe',
        stderr: 'pipe',
      })
      const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()])
      return { code: await child.exited, stdout, stderr }
    },
    start(args, { env: added, stdin = '', stdout: target, clock } = {}) {
      const [stdout, stderr] = [pipedOutput(), pipedOutput()]
      const running = startInProcess({
        args,
        ...placeOf(machine, added),
        ...(clock && { clock }),
        stdin: isContent(stdin) ? pipedInput(stdin) : stdin,
        stdout: target ?? stdout.stream,
        stderr: stderr.stream,
      })
      const ended = running.exited.then((code) => ({
        code,
        stdout: stdout.text(),
        stderr: stderr.text(),
        bytes: stdout.bytes(),
      }))
      return { ...running, stdout: stdout.readable, stderr: stderr.readable, ended }
    },
  }
  return machine
}

type Content = string | Uint8Array<ArrayBuffer>

const isContent = (stdin: Content | InputStream): stdin is Content =>
  typeof stdin === 'string' || stdin instanceof Uint8Array

const contentOf = (stdin: Content | InputStream): Content | Promise<Content> =>
  isContent(stdin) ? stdin : stdin.bytes()

/** The variables and the folder of `svc`. */
const placeOf = ({ env, cwd = root }: Machine, added: Record<string, string> = {}) => ({
  env: { ...env, ...added },
  folder: cwd,
})

export interface Terminal {
  child: Running
  /** The output so far. */
  seen(): string
  /** Sends input; `\r` is the Enter key. */
  type(text: string): void
  /** Waits for output that matches, after the match of the previous call. */
  sees(pattern: RegExp): Promise<RegExpExecArray>
}

const ROWS = 50

/** Runs `svc` in this process, at a terminal. */
export const inTerminal = (
  machine: Machine,
  args: string[],
  env: Record<string, string> = {},
  columns = 200,
): Terminal => {
  const output = watchOutput()
  const terminal = createTerminal({ columns, rows: ROWS }, output.add)
  const place = placeOf(machine, { TERM: 'xterm', ...env })
  const { stdin, stdout, stderr } = terminal
  const child = startInProcess({ args, ...place, stdin, stdout, stderr })
  const type = (text: string) => terminal.type(text, () => child.kill())
  return { child, type, ...output.until(child.exited) }
}

type Subprocess = Bun.Subprocess<'ignore', 'pipe', 'inherit'>

/** Runs a process of `svc` in a terminal of the system. */
export const inSystemTerminal = (
  machine: Machine,
  args: string[],
  env: Record<string, string> = {},
  cols = 200,
): Terminal & { child: Subprocess } => {
  const output = watchOutput()
  const decoder = new TextDecoder()
  const child = Bun.spawn(machine.command(...args), {
    env: { ...machine.env, TERM: 'xterm', ...env },
    ...(machine.cwd && { cwd: machine.cwd }),
    terminal: {
      cols,
      rows: ROWS,
      data: (_, bytes) => output.add(decoder.decode(bytes, { stream: true })),
    },
  })
  const type = (text: string) => void child.terminal?.write(text)
  return { child, type, ...output.until(child.exited) }
}

/** Collects the output of a terminal. */
const watchOutput = () => {
  let seen = ''
  let from = 0
  let look = () => {}
  return {
    add(text: string) {
      seen += text
      look()
    },
    until: (exited: Promise<unknown>) => ({
      seen: () => seen,
      sees(pattern: RegExp) {
        const { promise, resolve, reject } = Promise.withResolvers<RegExpExecArray>()
        look = () => {
          const found = pattern.exec(seen.slice(from))
          if (!found) return
          from += found.index + found[0].length
          look = () => {}
          resolve(found)
        }
        look()
        void exited.then(() => {
          look()
          reject(new Error(`ended without ${pattern}: ${JSON.stringify(seen.slice(from))}`))
        })
        return promise
      },
    }),
  }
}

/** Reads a stream until `pattern` matches. The rest of the stream stays unread. */
export const readUntil = async (
  reader: { read(): Promise<{ done: boolean; value?: Uint8Array | undefined }> },
  pattern: RegExp,
): Promise<RegExpExecArray> => {
  const decoder = new TextDecoder()
  let text = ''
  while (true) {
    const found = pattern.exec(text)
    if (found) return found
    const { value, done } = await reader.read()
    if (done) throw new Error(`ended without ${pattern}: ${text}`)
    text += decoder.decode(value ?? new Uint8Array(), { stream: true })
  }
}

/** Runs `svc login` and decides on its code as the browser does. */
export const login = async (
  machine: Machine,
  decide: (userCode: string) => Promise<unknown>,
  args: string[] = [],
): Promise<Ended> => {
  const decided = Promise.withResolvers<void>()
  // The first poll is after the decision, in place of five seconds.
  const clock = { now: Date.now, sleep: () => decided.promise }
  const running = machine.start(['login', ...args], { clock })
  const [, userCode = ''] = await readUntil(running.stderr.getReader(), /Code {3}(\S+)\n/)
  await decide(userCode)
  decided.resolve()
  const { code, stdout, stderr } = await running.ended
  return { code, stdout, stderr }
}

export const answer = (
  server: Pick<Server, 'url'>,
  user: TestUser,
  userCode: string,
  approve: boolean,
) =>
  request(server, 'POST', '/api/auth/mcp/authorize', {
    token: user.accessToken,
    body: { user_code: userCode, approve },
  })

/** A machine after `svc login`. */
export const signedInMachine = async (
  server: Pick<Server, 'url'>,
  url = server.url,
  of?: TestUser,
) => {
  const user = of ?? (await newUser(server))
  const machine = newMachine(url)
  const profile = {
    url,
    api_key: user.key,
    key_id: user.keyId,
    email: user.email,
    refresh_token: user.refreshToken,
  }
  mkdirSync(machine.configDir)
  writeFileSync(machine.credentialsFile, JSON.stringify({ profiles: { default: profile } }))
  return { user, machine }
}

/** A machine that is signed in with `--with-token`: a key without a session. */
export const machineWithKey = async (server: Pick<Server, 'url'>, of?: TestUser) => {
  const user = of ?? (await newUser(server))
  const machine = newMachine(server.url)
  await machine.svc(['login', '--with-token'], { stdin: `${user.key}\n` })
  return { user, machine }
}
