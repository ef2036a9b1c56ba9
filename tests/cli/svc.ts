import { onTestFinished } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Server } from '../../server/start.ts'
import { CLONE, SVC, TEMPORARY } from '../harness/process.ts'
import { newUser, request, type TestUser } from '../harness/server.ts'

const root = resolve(import.meta.dir, '../..')

export interface Ended {
  code: number
  stdout: string
  stderr: string
}

export interface SvcOptions {
  env?: Record<string, string>
  /** The text for stdin. Default: empty. */
  stdin?: string | Uint8Array
}

/** A user's machine: a separate home directory, in which `svc` runs as a child process. */
export interface Machine {
  configDir: string
  credentialsFile: string
  /** The environment of `svc`, without the variables of this machine. */
  env: Record<string, string>
  /** The current folder of `svc`. */
  cwd?: string
  command(...args: string[]): string[]
  svc(args: string[], options?: SvcOptions): Promise<Ended>
}

/**
 * Creates a machine for one test.
 * @param url the value of SVC_URL.
 * @param ofClone the commands that are always of the clone, because they print how to start svc.
 */
export const newMachine = (url?: string, ofClone = ['completion']): Machine => {
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
  const command = (...args: string[]) => {
    const name = args.find((each) => !each.startsWith('-'))
    return [...(name && !ofClone.includes(name) ? SVC : CLONE), ...args]
  }
  const machine: Machine = {
    configDir,
    credentialsFile: join(configDir, 'credentials.json'),
    env,
    command,
    async svc(args, options = {}) {
      const child = Bun.spawn(command(...args), {
        env: { ...env, ...options.env },
        ...(machine.cwd && { cwd: machine.cwd }),
        stdin: options.stdin === undefined ? 'ignore' : new Blob([options.stdin]),
        stdout: 'pipe',
        stderr: 'pipe',
      })
      const [stdout, stderr, code] = await Promise.all([
        child.stdout.text(),
        child.stderr.text(),
        child.exited,
      ])
      return { code, stdout, stderr }
    },
  }
  return machine
}

export interface Terminal {
  child: Bun.Subprocess
  /** The output so far. */
  seen(): string
  /** Sends input; `\r` is the Enter key. */
  type(text: string): void
  /** Waits for output that matches, after the match of the previous call. */
  sees(pattern: RegExp): Promise<RegExpExecArray>
}

/** Runs `svc` in a terminal. */
export const inTerminal = (
  machine: Machine,
  args: string[],
  env: Record<string, string> = {},
  cols = 200,
): Terminal => {
  let seen = ''
  let from = 0
  let look = () => {}
  const decoder = new TextDecoder()
  const child = Bun.spawn(machine.command(...args), {
    env: { ...machine.env, TERM: 'xterm', ...env },
    ...(machine.cwd && { cwd: machine.cwd }),
    terminal: {
      cols,
      rows: 50,
      data: (_, bytes) => {
        seen += decoder.decode(bytes, { stream: true })
        look()
      },
    },
  })
  const sees = (pattern: RegExp) => {
    const { promise, resolve, reject } = Promise.withResolvers<RegExpExecArray>()
    look = () => {
      const found = pattern.exec(seen.slice(from))
      if (!found) return
      from += found.index + found[0].length
      look = () => {}
      resolve(found)
    }
    look()
    void child.exited.then(() => {
      look()
      reject(new Error(`ended without ${pattern}: ${JSON.stringify(seen.slice(from))}`))
    })
    return promise
  }
  return { child, seen: () => seen, type: (text) => child.terminal?.write(text), sees }
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
  const child = Bun.spawn(machine.command('login', ...args), {
    env: machine.env,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [shown, rest] = child.stderr.tee()
  const [, userCode = ''] = await readUntil(shown.getReader(), /Code {3}(\S+)\n/)
  await decide(userCode)
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), rest.text(), child.exited])
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
