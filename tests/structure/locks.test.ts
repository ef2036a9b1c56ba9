import { expect, test } from 'bun:test'
import { Glob } from 'bun'
import { LOCK_ORDER, UNORDERED_LOCKS } from '../../server/lock-order.ts'
import { locksIn } from '../../server/platform/db/lock-order.ts'

const sources = await Promise.all(
  [...new Glob('server/**/*.ts').scanSync()].map(async (file) => ({
    file,
    text: await Bun.file(file).text(),
  })),
)

/** Names of tables by the names of the constants that declare them. */
const tables = new Map(
  sources.flatMap(({ text }) =>
    [...text.matchAll(/export const (\w+) = pgTable\(\s*'(\w+)'/g)].map(
      ([, constant = '', table = '']) => [constant, table] as const,
    ),
  ),
)

/** `.from(users).where(...).for('update')` as the SQL that drizzle generates. */
const asSql = (text: string): string =>
  text
    .replace(/\$\{(\w+)\}/g, (_, name: string) => tables.get(name) ?? 'unknown')
    .replace(/\.for\('([a-z ]+)'/g, " for $1 '")
    .replace(/\.from\((\w+)\)/g, (_, name: string) => ` from ${tables.get(name) ?? 'unknown'} `)

const ordered = new Set([...LOCK_ORDER, ...UNORDERED_LOCKS])

test('every row lock in the source is of a table in the lock order', () => {
  const found = sources
    .filter(({ file }) => !file.endsWith('lock-order.ts'))
    .flatMap(({ file, text }) =>
      locksIn(asSql(text))
        .filter(({ kind }) => kind === 'select')
        .map(({ lockClass }) => ({ file, lockClass })),
    )
  expect(found.length).toBeGreaterThan(35)
  expect(found.filter(({ lockClass }) => !ordered.has(lockClass))).toEqual([])
})

test('advisory locks are taken only through server/platform/db/locks.ts', () => {
  const users = sources.filter(({ text }) => /pg_(try_)?advisory/.test(text))
  expect(users.map(({ file }) => file).toSorted()).toEqual([
    'server/platform/db/locks.ts',
    // Migrations, the start, a restore and a move, which run before any other transaction.
    'server/platform/db/postgres.ts',
    'server/platform/db/preparation.ts',
    'server/platform/db/transfer/databases.ts',
  ])
})

test('no lock class occurs twice in the lock order', () => {
  expect(new Set(LOCK_ORDER).size).toBe(LOCK_ORDER.length)
})
