import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { buildConsole, type ConsoleManifest } from '../../console/build.ts'

/** In bytes. */
interface Size {
  plain: number
  gzip: number
  br: number
}

export interface Bundles {
  /** The scripts that a page needs before its first screen. */
  firstLoad: Size
  /** Scripts that a screen requests when it is opened, largest first. */
  lazy: { name: string; size: Size }[]
}

const NO_BYTES: Size = { plain: 0, gzip: 0, br: 0 }

const add = (a: Size, b: Size): Size => ({
  plain: a.plain + b.plain,
  gzip: a.gzip + b.gzip,
  br: a.br + b.br,
})

/** The scripts that a script imports without `import()`, and with it. */
const IMPORTS = /(?:from|import)"\.\/([^"]+\.js)"/g
const LAZY_IMPORTS = /import\("\.\/([^"]+\.js)"\)/g

const plain = (directory: string, name: string): Buffer =>
  brotliDecompressSync(readFileSync(join(directory, `${name}.br`)))

/** Adds what the scripts import, and what that imports. */
const addImports = async (
  names: Set<string>,
  directory: string,
  patterns: RegExp[],
): Promise<void> => {
  for (const name of names) {
    const source = plain(directory, name).toString()
    for (const pattern of patterns)
      for (const [, imported] of source.matchAll(pattern)) if (imported) names.add(imported)
  }
}

/** Builds the console and measures its scripts in English. */
export const measureBundles = async (): Promise<Bundles> => {
  const parent = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  const directory = join(parent, 'console')
  try {
    await buildConsole(directory)
    const { languages }: ConsoleManifest = await Bun.file(join(directory, 'manifest.json')).json()
    const sizeOf = (name: string): Size => ({
      plain: plain(directory, name).length,
      gzip: statSync(join(directory, `${name}.gz`)).size,
      br: statSync(join(directory, `${name}.br`)).size,
    })
    const { script } = languages.en
    const first = new Set([script])
    await addImports(first, directory, [IMPORTS])
    const all = new Set([script])
    await addImports(all, directory, [IMPORTS, LAZY_IMPORTS])
    const lazy = [...all.difference(first)]
      .map((name) => ({ name, size: sizeOf(name) }))
      .toSorted((a, b) => b.size.br - a.size.br)
    return { firstLoad: [...first].map(sizeOf).reduce(add, NO_BYTES), lazy }
  } finally {
    rmSync(parent, { recursive: true })
  }
}
