import { readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { isObject } from '../../shared/objects.ts'

/** A file that is longer is none that svc or git wrote. */
const MAX_FILE_BYTES = 1_000_000
const MAX_NAME_LENGTH = 200

/** The name of a project file that switches the memory of assistants in its folder. */
export const PROJECT_FILE = '.svc.json'

/** `read`: the memory is given to the assistant, and nothing is stored. */
export type ProjectMemoryMode = 'off' | 'read' | 'on'

/**
 * The setting of the nearest `.svc.json`, upwards from a folder. A file that cannot be read, or has another
 * value, counts as `off`: it was written to restrict something.
 */
export const memoryMode = (folder: string): ProjectMemoryMode => {
  for (const dir of upwards(folder)) {
    const text = readSmallFile(join(dir, PROJECT_FILE))
    if (text !== undefined) return parseMode(text)
  }
  return 'on'
}

const parseMode = (text: string): ProjectMemoryMode => {
  try {
    const settings: unknown = JSON.parse(text)
    if (!isObject(settings)) return 'off'
    const { memory = 'on' } = settings
    return memory === 'on' || memory === 'read' ? memory : 'off'
  } catch {
    return 'off'
  }
}

/**
 * The name of the project in a folder: `owner/repository` of its git remote, or the name of the folder of the
 * repository. It reads the settings of git without running it.
 * @returns undefined in the home folder and in the root folder.
 */
export const projectName = (folder: string, home = homedir()): string | undefined => {
  for (const dir of upwards(folder)) {
    const config = readGitConfig(dir)
    if (config !== undefined) return limit(remoteName(config) ?? basename(dir))
  }
  return resolve(folder) === resolve(home) ? undefined : limit(basename(resolve(folder)))
}

const limit = (name: string): string | undefined =>
  name.trim().slice(0, MAX_NAME_LENGTH).toWellFormed() || undefined

function* upwards(folder: string): Generator<string> {
  for (let dir = resolve(folder); ; dir = dirname(dir)) {
    yield dir
    if (dir === dirname(dir)) return
  }
}

/** The settings of the repository in a folder; undefined if there is none. */
const readGitConfig = (dir: string): string | undefined => {
  const git = join(dir, '.git')
  const config = readSmallFile(join(git, 'config'))
  if (config !== undefined) return config
  // In a worktree and in a submodule, .git is a file that names the folder.
  const [, target] = /^gitdir: (.+)$/m.exec(readSmallFile(git) ?? '') ?? []
  if (target === undefined) return undefined
  const gitDir = resolve(dir, target.trim())
  const common = readSmallFile(join(gitDir, 'commondir'))?.trim()
  return readSmallFile(join(common ? resolve(gitDir, common) : gitDir, 'config')) ?? ''
}

/** The path of the remote `origin`, or of the first remote, without the suffix `.git`. */
const remoteName = (config: string): string | undefined => {
  const urls = new Map<string, string>()
  let remote: string | undefined
  for (const line of config.split('\n')) {
    const text = line.trim()
    if (text.startsWith('[')) remote = /^\[remote "(.+)"\]/.exec(text)?.[1]
    const [key = '', ...value] = text.split('=')
    const url = value.join('=').trim()
    if (remote !== undefined && key.trim() === 'url' && !urls.has(remote)) urls.set(remote, url)
  }
  const url = urls.get('origin') ?? [...urls.values()][0]
  return url === undefined ? undefined : pathOfRemote(url)
}

/** @returns undefined for a remote in the file system. */
const pathOfRemote = (url: string): string | undefined => {
  const path = URL.canParse(url) && url.includes('://') ? pathOfUrl(new URL(url)) : pathOfScp(url)
  return (
    path
      ?.replace(/^\/+/, '')
      .replace(/\/$/, '')
      .replace(/\.git$/, '') || undefined
  )
}

const pathOfUrl = ({ protocol, pathname }: URL) => (protocol === 'file:' ? undefined : pathname)

/** The form `git@github.com:acme/shop.git`. A letter before the colon is a drive of Windows. */
const pathOfScp = (url: string) => /^(?:[^/@:]+@)?[^/:@]{2,}:(?!\/\/)(.+)$/.exec(url)?.[1]

const readSmallFile = (path: string): string | undefined => {
  try {
    const stat = statSync(path)
    return stat.isFile() && stat.size <= MAX_FILE_BYTES ? readFileSync(path, 'utf8') : undefined
  } catch {
    return undefined
  }
}
