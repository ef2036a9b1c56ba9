import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Glob } from 'bun'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

const sources = await Promise.all(
  [...new Glob('server/**/*.ts').scanSync(ROOT)].map(async (path) => ({
    path,
    text: await Bun.file(join(ROOT, path)).text(),
  })),
)

/** Statements of Drizzle's query builder, its `sql` templates, and SQL in strings. */
const SQL = [
  /\bsql(?:\.raw\(|`)/,
  /\.(?:select|insert|delete)\([^)]*\)\s*\.(?:from|values|where)\(/,
  /\.update\(\w+\)\s*\.set\(/,
  /['`]\s*(?:select|with|insert into|update|delete from)\s[^'`]*\b(?:from|set|values|as \()/i,
]

/** Stores, tables, and the parts of the platform that stores are made of. */
const MAY_HAVE_SQL =
  /(?:^|[/-])store\.ts$|\/table\.ts$|^server\/platform\/(?:db\/|jobs\.ts|writes\.ts|backfills\/)/

test('SQL is in stores only', () => {
  const found = sources
    .filter(({ path, text }) => !MAY_HAVE_SQL.test(path) && SQL.some((sql) => sql.test(text)))
    .map(({ path }) => path)
  expect(found).toEqual([])
})

test('errors of the API are created by their rows only', () => {
  const found = sources
    .filter(({ path, text }) => /new ApiError\(/.test(text) && !path.endsWith('http/error.ts'))
    .map(({ path }) => path)
  expect(found).toEqual([])
})

test('a store throws no error of the API', () => {
  const found = sources
    .filter(({ path, text }) => /store\.ts$/.test(path) && /\bApiError\b|defineErrors/.test(text))
    .map(({ path }) => path)
  expect(found).toEqual([])
})

test('each reason of an error is declared once', () => {
  const reasons = sources.flatMap(({ path, text }) =>
    [...text.matchAll(/defineErrors\(\{([\s\S]*?)\n\}\)/g)].flatMap(([, rows = '']) =>
      [...rows.matchAll(/^ {2}([a-z][a-z0-9_]+):/gm)].map((row) => ({ reason: row[1], path })),
    ),
  )
  expect(reasons.length).toBeGreaterThan(100)
  const seen = new Set<string | undefined>()
  const repeated = reasons.filter(({ reason }) => seen.size === seen.add(reason).size)
  expect(repeated).toEqual([])
})
