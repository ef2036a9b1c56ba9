import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  lchownSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { StartError } from '../../operator-error.ts'

/** How to run PostgreSQL as a user other than root, which it refuses. */
export interface RunAs {
  /** Precedes the command. */
  prefix: string[]
  /** The user of the child process and of its files, if it is not the current user. */
  uid?: number
  gid?: number
}

/** The environment of child processes. It has nothing of the environment of svc, which has secrets. */
export const ENVIRONMENT = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/run/current-system/sw/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
}

const OWN_USER: RunAs = { prefix: [] }

/** In the namespace the process has an unprivileged id; outside, its files belong to root. */
const USER_NAMESPACE: RunAs = {
  prefix: ['unshare', '--user', '--map-user=1000', '--map-group=1000'],
}

/** @throws StartError when the directory belongs to another user and svc does not run as root. */
export const checkDirectoryOwner = (directory: string): void => {
  const uid = process.getuid?.()
  const owner = ownerOf(directory)
  if (uid !== 0 && owner && owner.uid !== uid)
    throw new StartError(
      `SVC_DATA_DIR: ${directory} belongs to the user with the id ${owner.uid}, and svc runs as ${uid}; start svc as that user, or give the directory to ${uid} (chown -R)`,
    )
}

/**
 * Chooses the user that PostgreSQL runs as. If svc runs as root, that is the owner of `directory` unless
 * it is root, otherwise root in a user namespace, otherwise an unprivileged user, who becomes the owner
 * of the directory.
 * @throws StartError when no such user can use the directory.
 */
export const chooseUser = (directory: string, postgres: string): RunAs => {
  if (process.getuid?.() !== 0) return OWN_USER
  const owner = ownerOf(directory)
  if (owner && owner.uid !== 0) return asUser(owner, directory, postgres)
  if (canRun(USER_NAMESPACE, postgres)) return USER_NAMESPACE
  return asUser(unprivilegedUser(), directory, postgres)
}

/** Changes the owner of a path and everything below it to the user that PostgreSQL runs as. */
export const giveTo = ({ uid, gid }: RunAs, path: string): void => {
  if (uid === undefined || gid === undefined) return
  const stats = lstatSync(path)
  if (stats.uid !== uid) lchownSync(path, uid, gid)
  if (stats.isDirectory())
    for (const name of readdirSync(path)) giveTo({ prefix: [], uid, gid }, join(path, name))
}

const ownerOf = (path: string) => {
  if (!existsSync(path)) return undefined
  const { uid, gid } = statSync(path)
  return { uid, gid }
}

const canRun = ({ prefix, uid, gid }: RunAs, postgres: string): boolean => {
  const [command = '', ...args] = [...prefix, postgres, '--version']
  return (
    spawnSync(command, args, { uid, gid, stdio: 'ignore', cwd: '/', env: ENVIRONMENT }).status === 0
  )
}

const asUser = (user: { uid: number; gid: number }, directory: string, postgres: string): RunAs => {
  const runAs = { prefix: [], ...user }
  const parent = dirname(directory)
  try {
    // The user needs to traverse the data directory, but not to read it.
    chmodSync(parent, statSync(parent).mode | 0o011)
    if (existsSync(directory)) giveTo(runAs, directory)
  } catch (cause) {
    throw new StartError(
      refusal(`${directory} cannot be given to the user with the id ${user.uid}`),
      {
        cause,
      },
    )
  }
  if (!canRun(runAs, postgres))
    throw new StartError(refusal(`the user with the id ${user.uid} cannot run ${postgres}`))
  const { status } = spawnSync('test', ['-x', parent], {
    ...user,
    stdio: 'ignore',
    cwd: '/',
    env: ENVIRONMENT,
  })
  if (status !== 0)
    throw new StartError(refusal(`the user with the id ${user.uid} cannot reach ${parent}`))
  return runAs
}

const refusal = (reason: string): string =>
  `svc runs as root, which PostgreSQL refuses: no user namespace can be made here, and ${reason}. Start svc as another user, keep svc and SVC_DATA_DIR where that user can reach them (not below /root), or set SVC_DATABASE_URL to a PostgreSQL server`

/** The ids to use if /etc/passwd has no unprivileged user. */
const UNPRIVILEGED = { uid: 65_534, gid: 65_534 }

const unprivilegedUser = (): { uid: number; gid: number } => {
  const passwd = existsSync('/etc/passwd') ? readFileSync('/etc/passwd', 'utf8') : ''
  const users = new Map(passwd.split('\n').map((line) => [line.split(':')[0], line.split(':')]))
  const found = users.get('postgres') ?? users.get('nobody')
  return found ? { uid: Number(found[2]), gid: Number(found[3]) } : UNPRIVILEGED
}
