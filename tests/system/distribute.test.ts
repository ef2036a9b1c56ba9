import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { distributionOf } from '../../server/platform/db/distribution.ts'
import { knownMigrations } from '../../server/platform/db/migrations.ts'
import { createSchema, tablesAfter } from '../../server/platform/db/transfer/schema.ts'
import { openDatabaseSession } from '../../server/platform/db/transfer/session.ts'
import { distributeTables } from '../../server/system/distribute/distribute.ts'
import { remember } from '../../shared/contract/index.ts'
import { isCluster, workerUrl } from '../harness/database.ts'
import { SVC_NAME, spawnServer } from '../harness/process.ts'
import {
  admin,
  adminJson,
  at,
  embeddedPlace,
  type Place,
  populate,
  runSql,
  serverPlace,
  untilProcessed,
  viewOf,
  withServer,
} from './support.ts'

setDefaultTimeout(300_000)

const MEMORIES = 200

const refusal = async (place: Place) => {
  const { code, stderr } = await admin(place, 'distribute')
  expect(code).toBe(1)
  return stderr
}

test('every table with an owner is distributed, except for leases of workers and activity', async () => {
  const tables = tablesAfter(knownMigrations().length).map((name) => name.replace('public.', ''))
  const distributed = tables.filter((name) => distributionOf(name) === 'distributed')
  const place = await serverPlace()
  await withServer(place, async () => {})
  const owned = await runSql(
    place.SVC_DATABASE_URL,
    `select table_name::text as name from information_schema.columns
    where table_schema = 'public' and column_name = 'owner_id'`,
  )
  expect([...distributed, 'activity_events', 'engine_leases'].toSorted()).toEqual(
    owned.map(({ name }) => String(name)).toSorted(),
  )
})

test('the embedded database is not distributed', async () => {
  expect(await refusal(embeddedPlace())).toContain('must be the URL of a Citus coordinator')
})

if (!isCluster)
  test('a server without Citus, or a database without it, is refused', async () => {
    expect(await refusal(await serverPlace())).toMatch(/Citus|extension citus/)
  })

if (isCluster)
  describe('on a cluster', () => {
    test('a distributed database gives the same export and results, and is consistent', async () => {
      const place = await serverPlace()
      const { user, view } = await withServer(place, async (url) => {
        const user = await populate(place, url, MEMORIES)
        expect(await refusal(place)).toContain('svc runs on the database')
        return { user, view: await viewOf(user, url) }
      })
      const result = await adminJson(place, 'distribute')
      expect(result).toMatchObject({ workers: 2, resumed: 0 })
      expect(result.rows).toBeGreaterThan(MEMORIES)
      expect(await rowsOnWorkers(place, 'memories')).toBe(MEMORIES)
      expect(
        await runSql(
          place.SVC_DATABASE_URL,
          `select distinct result from run_command_on_all_nodes('show jit')`,
        ),
      ).toEqual([{ result: 'off' }])

      const later = await withServer(place, async (url) => {
        expect(await viewOf(user, url)).toEqual(view)
        // The numbers of memories and threads continue.
        const { client } = at(user, url)
        await client.call(remember, { body: { content: 'Anna sold the violin.', thread: 'new' } })
        await untilProcessed(at(user, url))
        return viewOf(user, url)
      })
      expect(later.memories).toHaveLength(MEMORIES + 1)
      expect(await adminJson(place, 'check')).toMatchObject({ memories: [] })
      const again = await admin(place, 'distribute')
      expect(again.stderr).toContain('already distributed')

      // A backup of it is one of any database.
      const file = `${place.SVC_DATA_DIR}/backup.tar.zst`
      await adminJson(place, 'backup', file)
      const restored = embeddedPlace()
      await adminJson(restored, 'restore', file)
      await withServer(restored, async (url) => expect(await viewOf(user, url)).toEqual(later))

      // Another data directory does not have the secret of the database.
      const SVC_AUTH_SECRET = readFileSync(join(place.SVC_DATA_DIR, 'auth-secret'), 'utf8')
      const moved = { ...embeddedPlace(), SVC_AUTH_SECRET }
      await adminJson(moved, 'move', '--from', place.SVC_DATABASE_URL, '--to', 'embedded')
      await withServer(moved, async (url) => expect(await viewOf(user, url)).toEqual(later))
    })

    test('a server refuses a database that is distributed in part, and another run completes it', async () => {
      const place = await serverPlace()
      const { user, view } = await withServer(place, async (url) => {
        const user = await populate(place, url, 20)
        return { user, view: await viewOf(user, url) }
      })
      // Each table is a transaction of its own.
      await runSql(
        place.SVC_DATABASE_URL,
        `select create_reference_table('engine_states')`,
        `select create_distributed_table('memories', 'owner_id', colocate_with := 'none')`,
      )
      await using refused = spawnServer({ ...place })
      expect((await refused.result()).stderr).toContain(`Run: ${SVC_NAME} admin distribute`)
      expect(await adminJson(place, 'distribute')).toMatchObject({ resumed: 2 })
      await withServer(place, async (url) => expect(await viewOf(user, url)).toEqual(view))
    })

    test('a table of memories that a later version adds is distributed by the next run', async () => {
      const place = await serverPlace()
      const distributeFirst = async () => {
        await using session = await openDatabaseSession(place.SVC_DATABASE_URL)
        await session.write((tx) => createSchema(tx, knownMigrations().length))
        // Under this name it is no table of memories, so that it is added afterwards.
        await session.sql.unsafe('alter table memory_feedback rename to feedback')
        await distributeTables(session, () => {})
        await session.sql.unsafe('alter table feedback rename to memory_feedback')
      }
      await distributeFirst()
      await expect(withServer(place, async () => {})).rejects.toThrow('Run: svc admin distribute')
      expect(await adminJson(place, 'distribute')).toMatchObject({ tables: 1 })
      await withServer(place, async (url) => {
        const user = await populate(place, url, 20)
        expect((await viewOf(user, url)).memories).toHaveLength(20)
      })
      expect(await adminJson(place, 'check')).toMatchObject({ memories: [] })
    })

    test('a worker, a database without tables and one without workers are refused', async () => {
      const place = await serverPlace()
      expect(await refusal(place)).toContain('start svc once first')
      expect(
        await refusal({ ...place, SVC_DATABASE_URL: workerUrl(place.SVC_DATABASE_URL) }),
      ).toContain('set it to the coordinator')
      await runSql(
        place.SVC_DATABASE_URL,
        'select citus_remove_node(nodename, nodeport) from pg_dist_node where groupid > 0',
      )
      expect(await refusal(place)).toContain('citus_add_node')
      await runSql(
        place.SVC_DATABASE_URL,
        'select citus_remove_node(nodename, nodeport) from pg_dist_node',
      )
      expect(await refusal(place)).toContain('citus_set_coordinator_host')
      await runSql(place.SVC_DATABASE_URL, 'drop extension citus cascade')
      expect(await refusal(place)).toContain('create extension citus')
    })
  })

/** The rows of a table that are on workers. */
const rowsOnWorkers = async ({ SVC_DATABASE_URL = '' }: Place, table: string) => {
  const shards = await runSql(
    SVC_DATABASE_URL,
    `select result::int as rows from run_command_on_shards('${table}', 'select count(*) from %s')`,
  )
  return shards.reduce((sum, { rows }) => sum + Number(rows), 0)
}
