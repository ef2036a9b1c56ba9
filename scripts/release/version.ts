import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { version } from '../../package.json'
import { ROOT } from './packages.ts'

export const CHANGELOG = join(ROOT, 'CHANGELOG.md')

/** ZIP archives have no earlier year. */
const UNRELEASED = '1980-01-01'

const section = readFileSync(CHANGELOG, 'utf8')
  .split('\n## ')
  .find((text) => text.startsWith(`${version} (`))
if (!section) throw new Error(`CHANGELOG.md has no section "## ${version} (<date>)"`)
const [heading = ''] = section.split('\n', 1)
const [date] = /\d{4}-\d\d-\d\d/.exec(heading) ?? []

/** Whether the changelog dates the version. */
export const isDated = date !== undefined

/** The changes of the version, as Markdown. */
export const releaseNotes = section.slice(heading.length).trim()

/** The time of every file in the archives: midnight of the date in the changelog, whenever they are built. */
export const RELEASED_AT = new Date(`${date ?? UNRELEASED}T00:00:00Z`)

/** The same time for a ZIP archive, whose times are in the time zone of the machine. */
export const zipTime = (): Date =>
  new Date(RELEASED_AT.getTime() + RELEASED_AT.getTimezoneOffset() * 60_000)
