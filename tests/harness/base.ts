/**
 * The commit that this clone is compared with: `npm test` leaves out parts for which
 * nothing changed since. `TEST_BASE` names it; else it is the merge base with the
 * branch that the remote checks out.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))

const git = (...args: string[]): string | undefined => {
  const { status, stdout } = spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}

/** Undefined outside of a clone. Equal to `head()` in a clone of the main branch. */
export const baseCommit = (): string | undefined => {
  const named = process.env.TEST_BASE
  if (!named) return git('merge-base', 'HEAD', 'origin/HEAD') ?? head()
  const commit = git('rev-parse', '--verify', `${named}^{commit}`)
  if (!commit) throw new Error(`TEST_BASE names no commit: ${named}`)
  return commit
}

export const head = (): string | undefined => git('rev-parse', 'HEAD')

/** The files that differ from a commit, with those that are not committed yet. */
export const changedSince = (commit: string): string[] =>
  [
    git('diff', '--name-only', '--no-renames', commit),
    git('ls-files', '--others', '--exclude-standard'),
  ].flatMap((names) => names?.split('\n').filter(Boolean) ?? [])
