import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { isObject } from '../../shared/objects.ts'

/** A file that is longer is none that svc or git wrote. */
const MAX_FILE_BYTES = 1_000_000
const MAX_NAME_LENGTH = 200

/** The files that a project may set its memory with, the stricter of which counts in one folder. */
const PROJECT_FILES = { '.svc.toml': Bun.TOML.parse, '.svc.json': JSON.parse } as const

/** `read`: the memory is given to the assistant, and nothing is stored. */
export type ProjectMemoryMode = 'off' | 'read' | 'on'

/** The settings of a project file. */
interface ProjectSettings {
  memory: ProjectMemoryMode
  /** The name of the project. */
  project: string | undefined
  /** Texts with one of these words are never stored. */
  never: string[]
}

/**
 * The setting of the nearest `.svc.toml`, upwards from a folder, and from the main worktree of its repository
 * where the folder has none. A file that cannot be read, or has another value, counts as `off`: it was written to
 * restrict something. Of a folder behind a symbolic link, the stricter setting of the two paths applies.
 */
export const memoryMode = (folder: string): ProjectMemoryMode => {
  const real = realPath(folder)
  const repository = findRepository(real)
  const own = repository && nearestSettings(real, repository.worktree)
  const found = [nearestSettings(folder), own ?? nearestSettings(real)]
  if (repository && own === undefined) found.push(nearestSettings(repository.root))
  const modes = found.map((settings) => settings?.memory)
  return MODES.find((mode) => modes.includes(mode)) ?? 'on'
}

/** The strictest first. */
const MODES: readonly ProjectMemoryMode[] = ['off', 'read', 'on']

/**
 * Whether a text has a word that a `.svc.toml` of its folder, of one above or of the main worktree lists under `never`,
 * in any case of letters.
 */
export const createNever = (folder: string): ((text: string) => boolean) => {
  const real = realPath(folder)
  const root = findRepository(real)?.root
  const folders = new Set(
    [folder, real, ...(root ? [root] : [])].flatMap((each) => [...upwards(each)]),
  )
  const words = [...folders]
    .flatMap((each) => settingsIn(each)?.never ?? [])
    .map((word) => word.toLowerCase())
  return (text) => {
    const lower = text.toLowerCase()
    return words.some((word) => lower.includes(word))
  }
}

/** @param last the last folder that is looked at. */
const nearestSettings = (folder: string, last?: string): ProjectSettings | undefined => {
  for (const dir of upwards(folder)) {
    const settings = settingsIn(dir)
    if (settings) return settings
    if (dir === last) return undefined
  }
  return undefined
}

const settingsIn = (dir: string): ProjectSettings | undefined => {
  const found = Object.entries(PROJECT_FILES).flatMap(([name, parse]) => {
    const text = readSmallFile(join(dir, name))
    return text === undefined ? [] : [parseSettings(text, parse)]
  })
  return MODES.map((mode) => found.find(({ memory }) => memory === mode)).find(Boolean)
}

const CLOSED: ProjectSettings = { memory: 'off', project: undefined, never: [] }

const parseSettings = (text: string, parse: (text: string) => unknown): ProjectSettings => {
  try {
    const settings = parse(text)
    if (!isObject(settings)) return CLOSED
    const { memory = 'on', project, never = [] } = settings
    const isValid =
      MODES.some((mode) => mode === memory) &&
      (project === undefined || typeof project === 'string') &&
      Array.isArray(never) &&
      never.every((word) => typeof word === 'string' && word.trim() !== '')
    return isValid ? ({ memory, project, never } as ProjectSettings) : CLOSED
  } catch {
    return CLOSED
  }
}

/**
 * The name of the project in a folder: that in its `.svc.toml`, `owner/repository` of its git remote, or the name of the
 * folder of the repository, which its worktrees share. It reads the settings of git without running it.
 * @returns undefined in the home folder, in those that files are downloaded to, and in the root folder.
 */
export const projectName = (folder: string, home = homedir()): string | undefined => {
  const real = realPath(folder)
  const found = findRepository(real)
  const remote = found && remoteName(found.config)
  const place = found
    ? (remote ?? found.name)
    : isNoProject(real, home)
      ? undefined
      : basename(real)
  const named = nearestSettings(real, found?.worktree ?? real)?.project?.trim()
  return limit(named && mayBeNamed(named, remote) ? named : (place ?? ''))
}

/**
 * Whether a file in a folder may name the project. It came with the code: a repository must not name itself after a
 * project of someone else and be given its memories. So an owner needs a remote of that owner.
 */
const mayBeNamed = (name: string, remote: string | undefined): boolean =>
  remote?.includes('/') ? ownerOf(name) === ownerOf(remote) : !name.includes('/')

const ownerOf = (name: string): string | undefined => name.split('/')[0]

/** Folders of a home that hold files of anything. */
const LOOSE_FOLDERS = ['', 'Desktop', 'Documents', 'Downloads']

const isNoProject = (real: string, home: string): boolean =>
  [tmpdir(), ...LOOSE_FOLDERS.map((name) => join(home, name))].some(
    (each) => realPath(each) === real,
  )

/** File systems differ in the form of accents. */
const limit = (name: string): string | undefined =>
  name.normalize().trim().slice(0, MAX_NAME_LENGTH).toWellFormed() || undefined

/** The path without symbolic links; the path itself where it does not exist. */
const realPath = (path: string): string => {
  try {
    return realpathSync(path)
  } catch {
    return resolve(path)
  }
}

function* upwards(folder: string): Generator<string> {
  for (let dir = resolve(folder); ; dir = dirname(dir)) {
    yield dir
    if (dir === dirname(dir)) return
  }
}

interface Repository {
  /** The folder that has it or names it. */
  worktree: string
  /** The content of its settings. */
  config: string
  /** The folder of its main worktree; of a bare repository its own. */
  root: string
  /** The name of that folder. */
  name: string
}

/** The repository of a folder or of the nearest one above. */
const findRepository = (folder: string): Repository | undefined => {
  for (const dir of upwards(folder)) {
    const common = commonDirectory(dir)
    if (common !== undefined) return { worktree: dir, ...describe(common) }
  }
  return undefined
}

/** The directory of the repository in a folder, which its worktrees share; undefined if there is none. */
const commonDirectory = (dir: string): string | undefined => {
  const git = join(dir, '.git')
  if (hasConfig(git)) return realPath(git)
  // In a worktree and in a submodule, .git is a file that names the directory.
  const [, target] = /^gitdir: (.+)$/m.exec(readSmallFile(git) ?? '') ?? []
  if (target !== undefined) {
    const own = resolve(dir, target.trim())
    const common = readSmallFile(join(own, 'commondir'))?.trim()
    if (common) return realPath(resolve(own, common))
    // The repository may have been moved since.
    return hasConfig(own) ? own : own.replace(/[\\/]worktrees[\\/][^\\/]+$/, '')
  }
  return hasConfig(dir) && existsSync(join(dir, 'HEAD')) && existsSync(join(dir, 'objects'))
    ? dir
    : undefined
}

const hasConfig = (dir: string): boolean => readSmallFile(join(dir, 'config')) !== undefined

const describe = (common: string): Omit<Repository, 'worktree'> => {
  const config = readSmallFile(join(common, 'config')) ?? ''
  const worktree = settingsOf(config).find(
    ({ section, key }) => section === 'core' && key === 'worktree',
  )?.value
  if (worktree) {
    const root = resolve(common, worktree)
    return { config, root, name: basename(root) }
  }
  // Such as .git, or .bare beside the worktrees of a bare repository.
  if (basename(common).startsWith('.')) {
    const root = dirname(common)
    return { config, root, name: basename(root) }
  }
  return { config, root: common, name: basename(common, '.git') }
}

const settingsOf = (config: string): { section: string; key: string; value: string }[] => {
  let section = ''
  return config.split('\n').flatMap((line) => {
    const text = line.trim()
    if (text.startsWith('[')) {
      section = text.slice(1, text.lastIndexOf(']'))
      return []
    }
    const [key = '', ...rest] = text.split('=')
    const value = rest
      .join('=')
      .trim()
      .replace(/^"(.*)"$/, '$1')
    return [{ section, key: key.trim().toLowerCase(), value }]
  })
}

/** The path of the remote `origin`, or of the first remote, without the suffix `.git`. */
const remoteName = (config: string): string | undefined => {
  const urls = settingsOf(config).filter(
    ({ section, key }) => key === 'url' && /^remote "/.test(section),
  )
  const chosen = urls.find(({ section }) => section === 'remote "origin"') ?? urls[0]
  return chosen && pathOfRemote(chosen.value)
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
