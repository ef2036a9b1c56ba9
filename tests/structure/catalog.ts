import type postgres from 'postgres'

/** Everything that a schema can declare, one line each. The order of columns is no part of it. */
const LINES = `
with tables as (
  select * from pg_class
  where relnamespace = 'public'::regnamespace and relkind not in ('i', 'I', 't', 'S', 'c')
)
select format('table %s %s%s options %s row security %s %s', relname, relpersistence, relkind,
  reloptions::text, relrowsecurity, relreplident) as line
from tables
union all
select format('column %s.%s %s', t.relname, a.attname, concat_ws(' ',
  format_type(a.atttypid, a.atttypmod), 'collate ' || nullif(l.collname::text, 'default'),
  case when a.attnotnull then 'not null' end, 'default ' || pg_get_expr(d.adbin, d.adrelid),
  'identity ' || nullif(a.attidentity::text, ''), 'generated ' || nullif(a.attgenerated::text, ''),
  'storage ' || a.attstorage::text, 'compression ' || nullif(a.attcompression::text, ''), a.attoptions::text))
from tables t join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
  left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  left join pg_collation l on l.oid = a.attcollation
union all
-- PostgreSQL 18 has constraints for NOT NULL, which the columns have above.
select format('constraint %s.%s %s', t.relname, c.conname, pg_get_constraintdef(c.oid))
from tables t join pg_constraint c on c.conrelid = t.oid and c.contype <> 'n'
union all
-- Its definition has the method, operator classes, collations, included columns, options and the predicate.
select format('index %s%s', pg_get_indexdef(i.indexrelid), case when i.indisreplident then ' replica identity' end)
from tables t join pg_index i on i.indrelid = t.oid
union all
select concat_ws(' ', 'sequence', sequencename, data_type, start_value, min_value, max_value, increment_by, cycle, cache_size)
from pg_sequences where schemaname = 'public'
union all
select format('trigger %s', pg_get_triggerdef(g.oid))
from tables t join pg_trigger g on g.tgrelid = t.oid and not g.tgisinternal
union all
select format('function %s', f.oid::regprocedure) from pg_proc f where f.pronamespace = 'public'::regnamespace
union all
select format('view %s %s', relname, pg_get_viewdef(oid)) from tables where relkind in ('v', 'm')
union all
select format('policy %s', p::text) from pg_policies p
union all
select format('type %s', y.typname) from pg_type y
where y.typnamespace = 'public'::regnamespace and y.typtype in ('e', 'd', 'r')
union all
select format('extension %s', extname) from pg_extension
order by line`

/** The tables, columns, keys, indexes and the rest of the schema `public` of a database. */
export const catalogOf = async (sql: Pick<postgres.Sql, 'unsafe'>): Promise<string[]> =>
  (await sql.unsafe(LINES)).map(({ line }) => String(line))
