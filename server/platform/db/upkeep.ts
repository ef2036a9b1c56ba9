import type { PGlite } from '@electric-sql/pglite'

const INTERVAL_MS = 30_000

/** Tables with many pages that were written since they were last vacuumed. */
const UNTENDED = `
select quote_ident(n.nspname) || '.' || quote_ident(c.relname) as name
from pg_class c
join pg_namespace n on n.oid = c.relnamespace
cross join lateral (select pg_relation_size(c.oid) / current_setting('block_size')::int as pages) s
where c.relkind = 'r' and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
  and s.pages - c.relallvisible > 50 + s.pages / 10`

/**
 * What a PostgreSQL server's autovacuum does, for the embedded one, which has none: recall reads
 * indexes alone only where a table is vacuumed, and its plan rests on statistics.
 */
export const startUpkeep = (client: PGlite, everyMs = INTERVAL_MS): Disposable => {
  const tend = async () => {
    const { rows } = await client.query<{ name: string }>(UNTENDED)
    for (const { name } of rows) await client.exec(`vacuum (analyze) ${name}`)
  }
  let isTending = false
  const timer = setInterval(async () => {
    if (isTending) return
    isTending = true
    // A database that is closing, or in trouble, is told of by the requests that need it.
    await tend().catch(() => {})
    isTending = false
  }, everyMs)
  timer.unref()
  return { [Symbol.dispose]: () => clearInterval(timer) }
}
