import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from './build.ts'

/** As in the Containerfile. */
export const SUITE = 'bookworm'
export const USER_ID = 10_001
export const DATA_DIR = '/var/lib/svc'
export const SVC = '/opt/svc/svc'

const MIRROR = 'http://deb.debian.org/debian'

/**
 * The packages of Debian's minimal system, unpacked but not configured, which takes twice as long, and the
 * user of the Containerfile.
 */
const unpackSystem = async (directory: string): Promise<void> => {
  await run(['debootstrap', '--foreign', '--variant=minbase', SUITE, directory, MIRROR])
  const user = `svc:x:${USER_ID}:${USER_ID}`
  writeFileSync(join(directory, 'etc/passwd'), `${user}::${DATA_DIR}:/bin/sh\n`)
  writeFileSync(join(directory, 'etc/group'), `svc:x:${USER_ID}:\n`)
  // A link to that of this machine.
  rmSync(join(directory, 'proc'), { recursive: true })
  for (const path of ['proc', 'opt/svc', DATA_DIR])
    mkdirSync(join(directory, path), { recursive: true })
}

const RUN_AS_USER = ['chroot', `--userspec=${USER_ID}:${USER_ID}`]
const ENVIRONMENT = ['env', '-i', 'PATH=/opt/svc:/usr/bin:/bin', 'HOME=/tmp']

/**
 * Mounts the system $1 and the release $2 read-only at $3, the data directory $4, a new /tmp, /proc and /dev, as
 * a container engine does. Then it executes the other arguments.
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
mount -t tmpfs none "$3/dev"
for device in null zero random urandom; do
  touch "$3/dev/$device"
  mount --bind "/dev/$device" "$3/dev/$device"
done
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
  const directory = mkdtempSync(join(tmpdir(), 'svc-test-container-'))
  const system = join(directory, 'system')
  await unpackSystem(system)
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
