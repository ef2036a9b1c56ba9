import { cpSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { Glob } from 'bun'
import { buildConsole } from '../../console/build.ts'
import { linkLibraries } from '../../server/platform/db/embedded/binaries.ts'
import { WITHOUT_PATHS } from '../executable.ts'
import { keepArm64 } from './mach-o.ts'
import { ROOT, withDependencies } from './packages.ts'
import { databaseOf, type Target } from './targets.ts'

/** Built for the release, not copied. */
const CONSOLE = 'console/build'

/** Files of the PostgreSQL package that only compilers need. */
const FOR_COMPILERS = /\.a$|\/(?:pkgconfig|pgxs)(?:\/|$)/
/** The modules of PostgreSQL: its own, and those of extensions, which svc does not use. */
const MODULE = /\/lib\/postgresql\/[^/]+\.(?:so|dylib)$/
const OWN_MODULE =
  /\/(?:\w+_and_\w+|euc2004_sjis2004|dict_snowball|plpgsql|libpqwalreceiver|pgoutput)\.\w+$/
const EXTENSION = /\/extension\/(?!plpgsql)/

const isUnused = (path: string): boolean =>
  FOR_COMPILERS.test(path) || EXTENSION.test(path) || (MODULE.test(path) && !OWN_MODULE.test(path))

interface Named {
  repositoryFile: string[]
  entryFile: string[]
  packageFile: string[]
}

/** The files that the server names with the functions of `server/platform/files.ts`. */
const namedFiles = async (): Promise<Named> => {
  const named: Named = { repositoryFile: [], entryFile: [], packageFile: [] }
  for (const path of new Glob('server/**/*.ts').scanSync(ROOT)) {
    const text = await Bun.file(join(ROOT, path)).text()
    for (const name of Object.keys(named) as (keyof Named)[])
      for (const [, file = ''] of text.matchAll(new RegExp(`\\b${name}\\('([^']+)'\\)`, 'g')))
        named[name].push(file)
  }
  return named
}

/** Bundles an entry file, because a release has no packages to import. */
const bundleEntry = async (path: string, lib: string): Promise<void> => {
  const built = await Bun.build({
    entrypoints: [join(ROOT, path)],
    target: 'bun',
    minify: true,
    define: WITHOUT_PATHS,
  })
  for (const output of built.outputs)
    await Bun.write(join(lib, dirname(path), output.path), await output.text())
}

/** Under the same name: the reader recognizes the compression. Most servers never read it. */
const writeCompressed = (source: string, path: string): void => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, Bun.zstdCompressSync(readFileSync(source), { level: 9 }))
}

/** The snapshots of the schema, of which a restore reads one, are two thirds indentation. */
const compactJson = (directory: string): void => {
  for (const name of readdirSync(directory)) {
    const path = join(directory, name)
    writeFileSync(path, JSON.stringify(JSON.parse(readFileSync(path, 'utf8'))))
  }
}

/** Copies one file of a package, or a package that is named without a path, with its dependencies. */
const copyPackage = (file: string, packages: string, to: string): void => {
  const [first = '', second = '', ...rest] = file.split('/')
  const isScoped = first.startsWith('@')
  const name = isScoped ? `${first}/${second}` : first
  const isWhole = isScoped ? rest.length === 0 : second === ''
  const paths = isWhole
    ? withDependencies(packages, name)
    : [
        join(name, 'package.json'),
        relative(realpathSync(packages), realpathSync(Bun.resolveSync(file, packages))),
      ]
  for (const path of paths) {
    const source = join(packages, path)
    if (path.endsWith('.wasm')) {
      writeCompressed(source, join(to, path))
      continue
    }
    cpSync(source, join(to, path), {
      recursive: true,
      filter: (each) => !isUnused(each.slice(source.length)),
    })
  }
}

/** Writes everything that the executable needs to `lib`. */
export const writeContents = async (
  target: Target,
  packages: string,
  lib: string,
): Promise<void> => {
  const named = await namedFiles()
  for (const path of named.repositoryFile.filter((each) => each !== CONSOLE)) {
    mkdirSync(dirname(join(lib, path)), { recursive: true })
    cpSync(join(ROOT, path), join(lib, path), { recursive: true })
  }
  compactJson(join(lib, 'migrations/meta'))
  for (const path of named.entryFile) await bundleEntry(path, lib)
  const database = databaseOf(target)
  for (const file of [...named.packageFile, database])
    copyPackage(file, packages, join(lib, 'node_modules'))
  linkLibraries(join(lib, 'node_modules', database))
  if (target.os === 'darwin') keepArm64(join(lib, 'node_modules', database))
  mkdirSync(join(lib, 'console'), { recursive: true })
  await buildConsole(join(lib, CONSOLE))
}
