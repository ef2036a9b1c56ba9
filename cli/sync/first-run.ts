import { CliError, usageError } from '../errors.ts'
import { namesIn } from './files.ts'
import { repositoryOf } from './ignored.ts'
import { countCandidates, type ScanOptions } from './scan.ts'

/** So many files become memories without a question. */
const MAX_FILES = 500

/** Files that show that a folder has code. Each ends a name, in lower case. */
const CODE = [
  ...['.git', '.hg', '.svn', '.jj', 'package.json', 'deno.json', 'deno.jsonc', 'jsr.json'],
  ...['cargo.toml', 'go.mod', 'pyproject.toml', 'setup.py', 'requirements.txt', 'pipfile'],
  ...['pom.xml', 'build.gradle', 'build.gradle.kts', 'composer.json', 'gemfile', 'mix.exs'],
  ...['cmakelists.txt', 'makefile', 'package.swift', 'pubspec.yaml', 'build.sbt', 'dune-project'],
]
const CODE_ENDINGS = ['.sln', '.csproj', '.fsproj', '.xcodeproj', '.cabal', '.gemspec']

const isCode = (name: string): boolean => {
  const key = name.toLowerCase()
  return CODE.includes(key) || CODE_ENDINGS.some((ending) => key.endsWith(ending))
}

interface FirstRun {
  root: string
  selection: Pick<ScanOptions, 'isAll' | 'maxBytes'>
  /** Asks at the terminal; undefined without one. */
  ask: ((question: string) => Promise<boolean>) | undefined
  /** The command with the confirmation. */
  command: string
}

/**
 * Asks before the first run in a folder that may not be one of notes: its files would go to the server.
 * @throws CliError if the answer is no, or there is no terminal for the question.
 */
export const confirmFirstRun = async ({
  root,
  selection,
  ask,
  command,
}: FirstRun): Promise<void> => {
  const count = await countCandidates(root, { base: new Map(), ...selection })
  const problem = await problemOf(root, count)
  if (problem === undefined || (await ask?.(`${problem} Sync it?`))) return
  const hint = `Nothing was changed. To sync the folder nevertheless, run: ${command}`
  throw ask ? new CliError(problem, hint) : usageError(problem, hint)
}

const problemOf = async (root: string, count: number): Promise<string | undefined> => {
  const files = count === 1 ? '1 Markdown file' : `${count.toLocaleString('en')} Markdown files`
  const code = (await namesIn(root, '')).toSorted().find(isCode)
  if (code !== undefined) return `The folder looks like code: it has ${code}, and ${files}.`
  if (count > 0 && (await repositoryOf(root)) !== undefined)
    return `The folder is in a git repository, and has ${files}.`
  return count > MAX_FILES ? `The folder has ${files}, which become memories.` : undefined
}
