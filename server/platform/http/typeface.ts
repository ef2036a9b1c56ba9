import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Elysia } from 'elysia'
import { packageFile } from '../files.ts'

/** One file for all weights. A page loads the second one only for letters that the first one lacks. */
const SUBSETS = {
  latin: packageFile('@fontsource-variable/geist/files/geist-latin-wght-normal.woff2'),
  'latin-ext': packageFile('@fontsource-variable/geist/files/geist-latin-ext-wght-normal.woff2'),
}
const RANGES: Record<string, string> = JSON.parse(
  readFileSync(packageFile('@fontsource-variable/geist/unicode.json'), 'utf8'),
)
/** The weights that a variable file contains. */
const WEIGHTS = '100 900'

const faces = Object.entries(SUBSETS).map(([subset, file]) => {
  const content = readFileSync(file)
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 16)
  return { content, path: `/typeface/geist-${subset}-${hash}.woff2`, range: RANGES[subset] }
})

/** The rules of the typeface for the style of a page. Its policy needs `font-src 'self'`. */
export const typefaceStyle = (basePath: string): string =>
  faces
    .map(
      ({ path, range }) =>
        `@font-face{font-family:Geist;font-weight:${WEIGHTS};font-display:swap;src:url(${basePath}${path}) format("woff2");unicode-range:${range}}`,
    )
    .join('\n')

/** The paths of all files. */
export const typefacePaths: string[] = faces.map(({ path }) => path)

/** The file that every page needs. */
export const typefacePath: string = faces[0]?.path ?? ''

/** Serves the files of the typeface. */
export const serveTypeface = (app: Elysia): void => {
  const headers = {
    'content-type': 'font/woff2',
    // The name contains a hash of the content.
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
  }
  for (const { path, content } of faces)
    app.get(path, () => new Response(content, { headers }), { detail: { hide: true } })
}
