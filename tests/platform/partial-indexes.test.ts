import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import { findChildren } from '../../server/account/access/keys/store.ts'
import { apiKeys } from '../../server/account/access/keys/table.ts'
import { oauthConsents, oauthGrants } from '../../server/account/access/oauth-server/table.ts'
import { erasePeer } from '../../server/account/activity/store.ts'
import { findOrgToJoin, listDueDomains } from '../../server/account/organizations/domains/store.ts'
import { isAddressHeld } from '../../server/account/sign-in/links/store.ts'
import { countUnsentEmails, listFailedEmails } from '../../server/admin/statistics-store.ts'
import {
  listActiveReflexes,
  listDueReflexes,
} from '../../server/features/automation/firings/reflex-store.ts'
import {
  deleteFiringsBy,
  listResumable,
  listUnconfirmedSince,
} from '../../server/features/automation/firings/store.ts'
import { deleteOldIntents } from '../../server/features/automation/intents/store.ts'
import { isDmAnswered } from '../../server/features/people/dm/message-store.ts'
import { dmMessages } from '../../server/features/people/dm/table.ts'
import { listWaitingWebhooks } from '../../server/features/webhooks/store.ts'
import { listCaptureSessions } from '../../server/memory/capture/store.ts'
import { listDueReminders } from '../../server/memory/facts/reminder-store.ts'
import { listOrgsWrittenFor } from '../../server/memory/memories/author-store.ts'
import { listExpired } from '../../server/memory/memories/delete-store.ts'
import { insertMemories } from '../../server/memory/memories/insert-store.ts'
import { memoriesIn } from '../../server/memory/memories/set-store.ts'
import { listOrphans } from '../../server/memory/memories/successors-store.ts'
import { listProjects } from '../../server/memory/projects/store.ts'
import { findDuplicates } from '../../server/memory/transfer/store.ts'
import { readableOwners } from '../../server/memory/wall.ts'
import type { Db, Query } from '../../server/platform/db/database.ts'
import { createDatabase, type TestDatabase } from '../harness/database.ts'

let database: TestDatabase
let sql: postgres.Sql
const statements: string[] = []
let db: Db
/** Records a statement, and returns no rows. */
const query: Query = async (text) => {
  statements.push(text)
  return []
}

/** A user with 2,000 reflexes, most schedules and few others active, and 2,000 users with none. */
const FILL = `
insert into users (id, email, username)
select gen_random_uuid(), n || '@example.com', 'user' || n from generate_series(0, 2000) n;
insert into reflexes (user_id, reflex_id, name, trigger_type, trigger, conditions, action, does_confirm, is_enabled, next_at)
select id, gen_random_uuid(), 'name', case when n % 2 = 0 then 'schedule' else 'signal' end, '{}', '[]', '{}', false,
  n % 2 = 0 or n % 401 = 0, case when n % 20 = 0 then now() + n * interval '1 minute' end
from users, generate_series(1, 2000) n where username = 'user0';
analyze users, reflexes`

beforeAll(async () => {
  database = await createDatabase()
  sql = postgres(database.env.SVC_DATABASE_URL, {
    max: 1,
    // As in the pools. Most tables are empty, as for a server that plans before an import, and would be read
    // without an index otherwise.
    connection: { plan_cache_mode: 'force_generic_plan', enable_seqscan: 'off' },
  })
  await sql.unsafe(FILL)
  const logger = { logQuery: (text: string) => void statements.push(text) }
  db = drizzle(sql, { logger }) as unknown as Db
})
afterAll(async () => {
  await sql?.end()
  await database?.drop()
})

/** The plan of a statement for any values. */
const genericPlan = async (statement: string): Promise<string> => {
  const count = new Set(statement.match(/\$\d+/g)).size
  const values = count ? `(${Array(count).fill('null').join(', ')})` : ''
  await sql.unsafe(`prepare statement as ${statement}`)
  const rows = await sql.unsafe(`explain execute statement${values}`)
  await sql.unsafe('deallocate statement')
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}

const ID = crypto.randomUUID()
const NOW = new Date()
const WRITE = { owner: { ownerId: ID, userId: ID, orgId: null }, rows: [] }
/** The readers of each partial index. Deletions of referenced rows look up the foreign keys. */
const READERS: [name: string, index: string, run: () => Promise<unknown>][] = [
  ['countUnsentEmails', 'email_recipients_unsent', () => countUnsentEmails(db)],
  ['listFailedEmails', 'email_recipients_unsent', () => listFailedEmails(db, 10)],
  ['listWaitingWebhooks', 'event_deliveries_due', () => listWaitingWebhooks(query)],
  ['listUnconfirmedSince', 'reflex_firings_open', () => listUnconfirmedSince(db, NOW, 10)],
  ['listResumable', 'reflex_firings_open', () => listResumable(query, [], 10)],
  ['listActiveReflexes', 'reflexes_active', () => listActiveReflexes(db, ID, 'signal')],
  ['listDueReflexes', 'reflexes_next', () => listDueReflexes(db, NOW, 10)],
  ['deleteOldIntents', 'intents_passing', () => deleteOldIntents(db, NOW)],
  [
    'listDueReminders',
    'memory_facts_due',
    () => {
      const { context } = readableOwners({ userId: ID, ownerId: ID }, 'person')
      const search = { ownerId: context, subjects: [], trusts: [], current: [], now: NOW }
      return listDueReminders(query, search)
    },
  ],
  ['listOrphans', 'memories_superseded_by', () => listOrphans(query, memoriesIn(ID, [ID]))],
  ['findDuplicates', 'memories_content', () => findDuplicates(query, ID, 'live', [])],
  ['insertMemories', 'memories_content', () => insertMemories(query, [WRITE], [])],
  ['insertMemories of two', 'memories_content', () => insertMemories(query, [WRITE, WRITE], [])],
  ['listProjects', 'memories_project', () => listProjects(query, ID, undefined)],
  [
    'listCaptureSessions',
    'memories_captured_time',
    () => listCaptureSessions(query, ID, { client: undefined, after: undefined, limit: 10 }),
  ],
  ['listExpired', 'memories_forgotten', () => listExpired(query, 10)],
  ['isDmAnswered', 'dm_messages_answer', () => isDmAnswered(db, ID)],
  [
    'the deletion of a message',
    'dm_messages_reply',
    () => db.update(dmMessages).set({ replyTo: null }).where(eq(dmMessages.replyTo, ID)),
  ],
  [
    'the deletion of an organization',
    'api_keys_org_id',
    () => db.delete(apiKeys).where(eq(apiKeys.orgId, ID)),
  ],
  ['listDueDomains', 'organization_domains_checked_at', () => listDueDomains(db, 10)],
  [
    'findOrgToJoin',
    'organization_domains_verified',
    () => findOrgToJoin(db, { userId: ID, email: 'ada@acme.test', domain: 'acme.test' }),
  ],
  ['the keys that a key created', 'api_keys_parent_id', () => findChildren(db, ID)],
  ['erasePeer', 'activity_events_peer', () => erasePeer(query, ID)],
  ['listOrgsWrittenFor', 'memories_org_writer', () => listOrgsWrittenFor(query, ID)],
  ['deleteFiringsBy', 'reflex_firings_author', () => deleteFiringsBy(db, ID)],
  ['isAddressHeld', 'mailed_links_held', () => isAddressHeld(db, 'ada@acme.test', ID)],
  [
    'the deletion of an organization',
    'oauth_grants_org_id',
    () => db.delete(oauthGrants).where(eq(oauthGrants.orgId, ID)),
  ],
  [
    'the deletion of an organization with consents',
    'oauth_consents_org_id',
    () => db.delete(oauthConsents).where(eq(oauthConsents.orgId, ID)),
  ],
]
/** Partial indexes that only keep rows unique. */
const CONSTRAINTS = ['memories_capture', 'org_invites_open']

test.each(READERS)('the generic plan of %s reads the partial index %s', async (_, index, run) => {
  await run()
  expect(await genericPlan(statements.pop() ?? '')).toContain(index)
})

test('each partial index is a constraint or has a statement that reads it', async () => {
  const rows = await sql`select indexrelid::regclass::text as name from pg_index
    join pg_class on pg_class.oid = indrelid
    where indpred is not null and relnamespace = 'public'::regnamespace`
  const listed = [...READERS.map(([, index]) => index), ...CONSTRAINTS]
  expect(rows.map(({ name }) => name).sort()).toEqual([...new Set(listed)].sort())
})
