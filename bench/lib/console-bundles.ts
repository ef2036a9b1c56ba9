import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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

/** The scripts that a script imports without `import()`. */
const importsOf = (source: string): string[] =>
  [...source.matchAll(/(?:from|import)"\.\/([^"]+\.js)"/g)].flatMap(([, name]) => name ?? [])

/** Builds the console and measures its scripts. */
export const measureBundles = async (): Promise<Bundles> => {
  const parent = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  const directory = join(parent, 'console')
  try {
    await buildConsole(directory)
    const { script, files }: ConsoleManifest = await Bun.file(
      join(directory, 'manifest.json'),
    ).json()
    const sizeOf = (name: string): Size => ({
      plain: statSync(join(directory, name)).size,
      gzip: statSync(join(directory, `${name}.gz`)).size,
      br: statSync(join(directory, `${name}.br`)).size,
    })
    const first = new Set([script])
    for (const name of first)
      for (const imported of importsOf(await Bun.file(join(directory, name)).text()))
        first.add(imported)
    const lazy = files
      .filter((name) => name.endsWith('.js') && !first.has(name))
      .map((name) => ({ name, size: sizeOf(name) }))
      .toSorted((a, b) => b.size.br - a.size.br)
    return { firstLoad: [...first].map(sizeOf).reduce(add, NO_BYTES), lazy }
  } finally {
    rmSync(parent, { recursive: true })
  }
}
