import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from './build.ts'

/** As in the Containerfile. */
export const SUITE = 'bookworm'
export const USER_ID = 10_001
export const DATA_DIR = '/var/lib/svc'
export const SVC = '/opt/svc/svc'

const MIRROR = 'http://deb.debian.org/debian'

/** Debian's minimal system with the user of the Containerfile. It is kept for the next run. */
const minimalSystem = async (): Promise<string> => {
  const directory = join(tmpdir(), `svc-test-debian-${SUITE}`)
  if (existsSync(directory)) return directory
  const partial = `${directory}.${process.pid}`
  try {
    await run(['debootstrap', '--variant=minbase', SUITE, partial, MIRROR])
    await run(['chroot', partial, 'groupadd', '--gid', `${USER_ID}`, 'svc'])
    await run([
      ...['chroot', partial, 'useradd', '--uid', `${USER_ID}`, '--gid', 'svc'],
      ...['--no-create-home', '--home-dir', DATA_DIR, 'svc'],
    ])
    for (const path of ['opt/svc', DATA_DIR]) mkdirSync(join(partial, path))
    renameSync(partial, directory)
  } finally {
    rmSync(partial, { recursive: true, force: true })
  }
  return directory
}

const RUN_AS_USER = ['chroot', `--userspec=${USER_ID}:${USER_ID}`]
const ENVIRONMENT = ['env', '-i', 'PATH=/opt/svc:/usr/bin:/bin', 'HOME=/tmp']

/**
 * Mounts the system $1 and the release $2 read-only at $3, the data directory $4, a new /tmp and /proc, as a
 * container engine does. Then it executes the other arguments.
 */
const ENTER = `
ip link set lo up
mount --bind "$1" "$3"
mount -o remount,bind,ro "$3"
mount --bind "$2" "$3/opt/svc"
mount -o remount,bind,ro "$3/opt/svc"
mount --bind "$4" "$3${DATA_DIR}"
mount -t tmpfs -o mode=1777 none "$3/tmp"
mount -t proc none "$3/proc"
shift 4
exec "$@"`

/** Reads a stream to its end. @returns the text until `pattern` matches. */
const textUntil = async (stream: ReadableStream<Uint8Array>, pattern: RegExp): Promise<string> => {
  const matched = Promise.withResolvers<string>()
  const read = async () => {
    const decoder = new TextDecoder()
    let text = ''
    for await (const chunk of stream) {
      text += decoder.decode(chunk, { stream: true })
      if (pattern.test(text)) matched.resolve(text)
    }
    matched.reject(new Error(`ended without ${pattern}: ${text}`))
  }
  void read()
  return matched.promise
}

/** A container without a container engine: the release in a minimal system, with a data directory. */
export const createContainer = async (release: string) => {
  const system = await minimalSystem()
  const directory = mkdtempSync(join(tmpdir(), 'svc-test-container-'))
  const root = join(directory, 'root')
  const data = join(directory, 'data')
  for (const path of [root, data]) mkdirSync(path, { mode: 0o700 })
  await run(['chown', `${USER_ID}:${USER_ID}`, data])

  const serve = async () => {
    const child = Bun.spawn(
      [
        ...['unshare', '--net', '--mount', 'sh', '-ec', ENTER, 'sh', system, release, root, data],
        ...[...RUN_AS_USER, root, ...ENVIRONMENT, `SVC_DATA_DIR=${DATA_DIR}`, SVC, 'serve'],
      ],
      { stdin: 'ignore', stdout: 'ignore', stderr: 'pipe' },
    )
    const stop = async (signal: NodeJS.Signals) => {
      child.kill(signal)
      return child.exited
    }
    const enter = ['nsenter', '--target', `${child.pid}`, '--net']
    return {
      pid: child.pid,
      /** Its first output. */
      shown: await textUntil(child.stderr, /Sign in .*\n/),
      /** @returns the exit code. */
      stop,
      /** The command that executes a command of this machine in the network of the server. */
      beside: (...command: string[]) => [...enter, ...command],
      /** The command that executes a command in the container. */
      inside: (...command: string[]) => [
        ...[...enter, '--mount', ...RUN_AS_USER, root, ...ENVIRONMENT],
        ...command,
      ],
      [Symbol.asyncDispose]: async () => {
        await stop('SIGKILL')
      },
    }
  }
  return { serve, [Symbol.dispose]: () => rmSync(directory, { recursive: true, force: true }) }
}
