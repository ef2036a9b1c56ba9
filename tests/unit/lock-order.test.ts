import { expect, test } from 'bun:test'
import { locksIn } from '../../server/platform/db/lock-order.ts'

test.each<[string, string, string[]]>([
  ['a row lock', 'select "id" from "users" where "users"."id" = $1 for no key update', ['users']],
  [
    'the locks of common table expressions, first to last',
    'with a as (select from users where id = $1 for key share), b as (select from orgs where exists (select from a) for share) select from a',
    ['users', 'orgs'],
  ],
  [
    'the table of `for update of` by its alias',
    'select from memories m left join memory_threads t on true where m.id in (select 1) for update of m',
    ['memories'],
  ],
  ['an update and a delete', 'with u as (update a set x = 1) delete from "b"', ['a', 'b']],
  ['an upsert', 'insert into a values (1) on conflict (x) do update set y = 1', ['a']],
  ['no insert', 'insert into a values (1) on conflict do nothing', []],
  ['no lock that skips locked rows', 'select from users for key share skip locked', []],
  ['the name of an advisory lock', 'select pg_advisory_xact_lock(1) /* locks caps */', ['caps']],
])('a statement that waits for %s is recognized', (_, statement, expected) => {
  const waiting = locksIn(statement).filter(({ waits }) => waits)
  expect(waiting.map(({ lockClass }) => lockClass).filter((name) => name !== 'set')).toEqual(
    expected,
  )
})
