import { dirname, relative, sep } from 'node:path'
import ignore, { type Ignore } from 'ignore'
import { decodeFile, hasEntry, readIfExists } from './files.ts'

/** The rules of a folder and of those that it is in, as git has them. */
export interface Rules {
  /** The path from the folder of the rules to the scanned one, with a slash at the end; empty if it is inside. */
  above: string
  /** The folder of the rules in the scanned one, with a slash at the end; empty for the scanned one. */
  prefix: string
  matcher: Ignore
  /** Rules of an outer folder, which decide where these do not. */
  outer: Rules | undefined
}

/** Names that are never looked into, except for files that are synced already. */
const DEPENDENCIES = 'node_modules'

export const isDependencies = (name: string): boolean => name === DEPENDENCIES

/** As git is set up by default: the file systems of the others do not know the case of names. */
const OPTIONS = { ignorecase: process.platform !== 'linux', allowRelativePaths: true }

const MAX_RULES_BYTES = 2 ** 20

const readRules = async (root: string, path: string): Promise<string> => {
  const file = await readIfExists(root, path).catch(() => undefined)
  return (file && file.bytes.length <= MAX_RULES_BYTES && decodeFile(file.bytes)) || ''
}

const withRules = (
  outer: Rules | undefined,
  place: Pick<Rules, 'above' | 'prefix'>,
  text: string,
): Rules | undefined =>
  text === '' ? outer : { ...place, matcher: ignore(OPTIONS).add(text), outer }

/** The rules in a folder. @param prefix the path of the folder with a slash at the end; the root is empty. */
export const rulesIn = async (
  root: string,
  prefix: string,
  outer: Rules | undefined,
): Promise<Rules | undefined> =>
  withRules(outer, { above: '', prefix }, await readRules(root, `${prefix}.gitignore`))

/** Whether git ignores a path, whose folder it does not ignore. @param path of a folder: with a slash at the end. */
export const isIgnoredBy = (rules: Rules | undefined, path: string): boolean => {
  for (let each = rules; each; each = each.outer) {
    const { ignored, unignored } = each.matcher.test(each.above + path.slice(each.prefix.length))
    if (ignored || unignored) return ignored
  }
  return false
}

/**
 * The rules for a folder that come from outside of it: those of its repository, and of the folders on the way. A folder
 * that git ignores whole was chosen nevertheless: then they say nothing about its files.
 */
export const outerRules = async (folder: string): Promise<Rules | undefined> => {
  const repository = await repositoryOf(folder)
  if (repository === undefined) return undefined
  const inside = relative(repository, folder).split(sep).filter(Boolean)
  const pathOf = (names: string[]) => names.map((name) => `${name}/`).join('')
  const exclude = await readRules(repository, '.git/info/exclude')
  let rules = withRules(undefined, { above: pathOf(inside), prefix: '' }, exclude)
  if (inside.length === 0) return rules
  for (const index of inside.keys()) {
    const text = await readRules(repository, `${pathOf(inside.slice(0, index))}.gitignore`)
    rules = withRules(rules, { above: pathOf(inside.slice(index)), prefix: '' }, text)
  }
  return isIgnoredBy(rules, '') ? undefined : rules
}

/** The folder of the git repository that a folder is in, which may be itself. */
export const repositoryOf = async (folder: string): Promise<string | undefined> => {
  for (let each = folder; ; each = dirname(each)) {
    if (await hasEntry(each, '.git').catch(() => false)) return each
    if (dirname(each) === each) return undefined
  }
}
