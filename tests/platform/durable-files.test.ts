import { expect, setDefaultTimeout, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { newMachine } from '../cli/svc.ts'
import { stop } from '../embedded/support.ts'
import { eventually } from '../harness/eventually.ts'
import { spawnServer } from '../harness/process.ts'
import { newUser } from '../harness/server.ts'
import { scratch } from '../start/support.ts'

setDefaultTimeout(120_000)

/** Runs a command and records its system calls. The command stays the child process. */
const strace = (output: string) => [
  ...['strace', '-D', '-f', '--seccomp-bpf', '-y', '-o', output],
  ...['-e', 'trace=fsync,fdatasync,rename,renameat,renameat2,link,linkat'],
]

/**
 * The calls of a process that has ended, in the order in which they ended: strace splits a call in two lines
 * when another thread makes one meanwhile.
 */
const readCalls = async (output: string, pid: number): Promise<string> => {
  // Detached, strace ends after the process and writes the rest then.
  const end = new RegExp(`^${pid} +\\+\\+\\+ exited`, 'm')
  await eventually(() => end.test(readFileSync(output, 'utf8')))
  const begun = new Map<string, string>()
  return readFileSync(output, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, thread = '', call = ''] = /^(\d+) +(.*)$/.exec(line) ?? []
      if (call.endsWith(' <unfinished ...>')) {
        begun.set(thread, call.slice(0, -' <unfinished ...>'.length))
        return []
      }
      return [call.replace(/^<\.\.\. \w+ resumed>/, () => begun.get(thread) ?? '')]
    })
    .join('\n')
}

/**
 * The steps of a durable replacement of `name` in `directory`: the draft is synced, gets the name, and the
 * directory is synced.
 */
const stepsOf = (calls: string, directory: string, name: string, draft: string): string[] => {
  const steps: [string, RegExp][] = [
    ['sync', new RegExp(`f(data)?sync\\(\\d+<\\S*/${draft}>\\) += 0`)],
    ['name', new RegExp(`(rename|link)\\w*\\([^\\n]*"[^"]*${name}"[^\\n]*\\) += 0`)],
    ['sync of the directory', new RegExp(`fsync\\(\\d+<\\S*${directory}>\\) += 0`)],
  ]
  const found: string[] = []
  let from = 0
  for (const [step, pattern] of steps) {
    const match = pattern.exec(calls.slice(from))
    if (!match) return found
    from += match.index + match[0].length
    found.push(step)
  }
  return found
}

const DURABLE = ['sync', 'name', 'sync of the directory']

test.skipIf(Bun.which('strace') === null)(
  'the secret, the password of the database and emails are synced to disk with their names',
  async () => {
    using dir = scratch()
    const output = join(dir.path, 'strace.txt')
    const dataDir = join(dir.path, 'data')
    await using server = spawnServer({ SVC_DATA_DIR: dataDir }, strace(output))
    const url = await server.url
    await newUser({ url })
    const hasMail = () => readdirSync(join(dataDir, 'outbox')).some((name) => name.endsWith('.eml'))
    await eventually(hasMail)
    await stop(server)
    const calls = await readCalls(output, server.child.pid)
    expect(stepsOf(calls, dataDir, 'auth-secret', 'auth-secret[^>]+')).toEqual(DURABLE)
    expect(stepsOf(calls, 'cluster', 'svc-password', 'password')).toEqual(DURABLE)
    expect(stepsOf(calls, 'outbox', '\\.eml', '[^>]+\\.eml[^>]+')).toEqual(DURABLE)
  },
)

test.skipIf(Bun.which('strace') === null)(
  'settings and credentials of the command line are synced to disk with their name',
  async () => {
    using dir = scratch()
    const output = join(dir.path, 'strace.txt')
    const machine = newMachine()
    const child = Bun.spawn(
      [...strace(output), ...machine.command('config', 'set', 'depth', 'deep')],
      {
        env: machine.env,
        stdout: 'ignore',
        stderr: 'ignore',
      },
    )
    expect(await child.exited).toBe(0)
    const calls = await readCalls(output, child.pid)
    expect(stepsOf(calls, 'config', 'config.json', 'config.json[^>]+')).toEqual(DURABLE)
  },
)
