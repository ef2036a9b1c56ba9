/**
 * Publishes the files of `npm run release` to npm, PyPI and GitHub: `bun scripts/publish.ts`. Arguments select
 * some of them, `--from` names another directory than `dist`, and `--dry-run` checks and prints the commands only.
 *
 * The accounts are those of `npm`, `twine` and `gh`. A run that failed can be repeated: where the version is
 * published already, nothing is changed.
 */
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { version } from '../package.json'
import { CHECKSUMS, checkFiles } from './release/checksums.ts'
import { NPM_PACKAGE, PYTHON_SOURCES, PYTHON_WHEEL, releaseFiles } from './release/names.ts'
import { ROOT } from './release/packages.ts'
import { isDated, releaseNotes } from './release/version.ts'

const { values, positionals } = parseArgs({
  options: {
    from: { type: 'string', default: join(ROOT, 'dist') },
    'dry-run': { type: 'boolean', default: false },
  },
  allowPositionals: true,
})

interface Destination {
  name: string
  publish: string[]
  /** Succeeds if the version is published. A program without this question skips it itself. */
  isThere?: string[]
}

const path = (name: string): string => resolve(values.from, name)
const tag = `v${version}`
const NOTES = 'NOTES.md'

const destinations: Destination[] = [
  {
    name: 'npm',
    isThere: ['npm', 'view', `svc-client@${version}`, 'version'],
    publish: ['npm', 'publish', path(NPM_PACKAGE), '--access', 'public'],
  },
  {
    name: 'pypi',
    publish: ['twine', 'upload', '--skip-existing', path(PYTHON_WHEEL), path(PYTHON_SOURCES)],
  },
  // Last, because its followers are notified. The pushed tag names the commit.
  {
    name: 'github',
    isThere: ['gh', 'release', 'view', tag],
    publish: [
      ...['gh', 'release', 'create', tag, '--verify-tag', '--title', tag],
      ...['--notes-file', ...[NOTES, ...releaseFiles, CHECKSUMS].map(path)],
    ],
  },
]

/** A person may enter a one-time code of the account. */
const run = async (command: string[], stdout: 'inherit' | 'ignore'): Promise<boolean> => {
  const stderr = stdout
  return (await Bun.spawn(command, { cwd: ROOT, stdin: 'inherit', stdout, stderr }).exited) === 0
}

const publish = async ({ name, isThere, publish: command }: Destination): Promise<void> => {
  if (values['dry-run']) return console.log(command.join(' '))
  if (isThere && (await run(isThere, 'ignore')))
    return console.log(`${name}: ${version} is published`)
  if (!(await run(command, 'inherit')))
    throw new Error(`${command[0]} could not publish to ${name}`)
}

const names = destinations.map(({ name }) => name)
const unknown = positionals.find((each) => !names.includes(each))
if (unknown) throw new Error(`Destinations are: ${names.join(', ')}`)
const chosen = destinations.filter(
  ({ name }) => positionals.length === 0 || positionals.includes(name),
)

if (!isDated) throw new Error(`CHANGELOG.md has no date for ${version}`)
await checkFiles(values.from, releaseFiles)
await Bun.write(path(NOTES), releaseNotes)
for (const {
  publish: [program = ''],
} of chosen)
  if (!values['dry-run'] && !Bun.which(program)) throw new Error(`${program} is not installed`)
for (const destination of chosen) await publish(destination)
