import type { ActivityKind } from '../../../shared/contract/activity.ts'
import { isoText } from '../../platform/db/columns.ts'
import type { Query } from '../../platform/db/database.ts'
import { classLockCondition } from '../../platform/db/locks.ts'
import { DELETED_USERNAME } from '../users/email-address.ts'
import type { ActivityMemoryRef, ActivityRow } from './table.ts'

/** The channel on which a process learns that another one has stored events. */
export const ACTIVITY_CHANNEL = 'svc_activity'

/** An event to store. */
export interface NewActivity extends Omit<ActivityRow, 'id' | 'createdAt'> {
  createdAt: string
}

/** An event, as statements return it. */
export interface StoredActivity extends Omit<ActivityRow, 'id' | 'createdAt' | 'memories'> {
  id: string
  createdAt: string
  memories: ActivityMemoryRef[]
}

/**
 * Stores events in their order and notifies every process of their owners. The lock makes the ids ascend in the
 * order of the commits. The commit waits for the disk, also on a connection for background work: after a crash an
 * id that a client has received would name another event. The events of users and organizations that were
 * deleted meanwhile, or are being deleted, are left out: the foreign key would refuse those of others with them,
 * and nothing would erase those of an organization.
 */
const INSERT = `
  with locked as materialized (
    select 1 where ${classLockCondition('activity')}
      and set_config('synchronous_commit', 'on', true) is not null
  ), events as (
    select * from jsonb_to_recordset($1::jsonb) as e (
      position int, "ownerId" uuid, "userId" uuid, kind text, "keyId" uuid, client text, session text,
      question text, subject text, "peerId" uuid, count bigint, memories jsonb, "tookMs" real, "createdAt" timestamptz
    )
  ), known as materialized (
    select u.id, u.preferences->>'keep_questions' is distinct from 'off' as keeps_questions
    from users u where u.id in (select "userId" from events union all select "peerId" from events)
    for key share skip locked
  ), known_orgs as materialized (
    select o.id from orgs o where o.id in (select "ownerId" from events) for key share skip locked
  ), stored as (
    insert into activity_events
      (owner_id, user_id, kind, key_id, client, session, question, subject, peer_id, count, memories, took_ms, created_at)
    select e."ownerId", u.id, e.kind, e."keyId", e.client, e.session,
      case when u.keeps_questions then e.question end, e.subject, peer.id, e.count, e.memories, e."tookMs", e."createdAt"
    from locked, events e join known u on u.id = e."userId" left join known peer on peer.id = e."peerId"
    where e."ownerId" = u.id or e."ownerId" in (select id from known_orgs)
    order by e.position
    returning owner_id
  )
  select pg_notify($2, string_agg(distinct owner_id::text, ',')) from stored having count(*) > 0`

/** A notification has at most 8,000 bytes (PostgreSQL, NOTIFY); an owner takes 37. */
export const MAX_OWNERS = 200

export const insertActivity = async (query: Query, events: NewActivity[]): Promise<void> => {
  const ordered = events.map((event, position) => ({ position, ...event }))
  await query(INSERT, [JSON.stringify(ordered), ACTIVITY_CHANNEL])
}

const COLUMNS = `
  e.id::text as id, e.owner_id as "ownerId", e.user_id as "userId", e.kind, e.key_id as "keyId", e.client, e.session,
  e.question, e.subject, e.peer_id as "peerId", e.count::int as count, e.memories, e.took_ms as "tookMs", ${isoText('e.created_at')} as "createdAt"`

/** Adds the names of the other persons of messages, as they are now. */
export const nameSubjects = async (
  query: Query,
  events: StoredActivity[],
): Promise<StoredActivity[]> => {
  const isUnnamed = ({ kind, subject }: StoredActivity) =>
    subject === null && kind.startsWith('message.')
  if (!events.some(isUnnamed)) return events
  const users = await query<{ id: string; username: string }>(
    'select id, username from users where id = any($1::uuid[])',
    [events.flatMap(({ peerId }) => peerId ?? [])],
  )
  const names = new Map(users.map(({ id, username }) => [id, username]))
  return events.map((event) =>
    isUnnamed(event)
      ? { ...event, subject: names.get(event.peerId ?? '') ?? DELETED_USERNAME }
      : event,
  )
}

/** The events of an owner after one, oldest first. */
export const listActivityAfter = (
  query: Query,
  ownerId: string,
  after: string,
  limit: number,
): Promise<StoredActivity[]> =>
  query(
    `select ${COLUMNS} from activity_events e
     where e.owner_id = $1 and e.id > $2::bigint order by e.id limit $3`,
    [ownerId, after, limit],
  )

export interface ActivityFilter {
  kind?: string | undefined
  client?: string | undefined
  session?: string | undefined
  since?: string | undefined
  until?: string | undefined
  before?: string | undefined
  /** The starts of kinds that are left out. */
  except?: readonly string[]
}

/** A page of the events of an owner, newest first. */
export const listActivityBefore = (
  query: Query,
  ownerId: string,
  { kind, client, session, since, until, before, except = [] }: ActivityFilter,
  limit: number,
): Promise<StoredActivity[]> =>
  query(
    `select ${COLUMNS} from activity_events e
     where e.owner_id = $1
       and ($2::bigint is null or e.id < $2)
       and ($3::text is null or e.kind = $3 or (right($3, 1) = '.' and starts_with(e.kind, $3)))
       and ($4::text is null or e.client = $4)
       and ($5::text is null or e.session = $5)
       and ($6::timestamptz is null or e.created_at >= $6)
       and ($7::timestamptz is null or e.created_at < $7)
       and not exists (select from unnest($9::text[]) as start where starts_with(e.kind, start))
     order by e.id desc limit $8`,
    [
      ownerId,
      before ?? null,
      kind ?? null,
      client ?? null,
      session ?? null,
      since ?? null,
      until ?? null,
      limit,
      except,
    ],
  )

export const findActivity = async (
  query: Query,
  ownerId: string,
  id: string,
): Promise<StoredActivity | undefined> => {
  const [row] = await query<StoredActivity>(
    `select ${COLUMNS} from activity_events e where e.owner_id = $1 and e.id = $2::bigint`,
    [ownerId, id],
  )
  return row
}

/** The id of the latest event of all owners; 0 without one. */
export const latestActivity = async (query: Query): Promise<string> => {
  const [row] = await query<{ id: string }>(
    `select coalesce(max(id), 0)::text as id from activity_events`,
    [],
  )
  return row?.id ?? '0'
}

/** The numbers of reads and writes. */
export type ActivityCounts = Record<
  'recalls' | 'contexts' | 'read' | 'written' | 'changed' | 'deleted',
  number
>

export interface AssistantCounts extends ActivityCounts {
  client: string
  lastSeenAt: string
  keyIds: string[]
}

const sumOf = (...kinds: ActivityKind[]) =>
  `coalesce(sum(count) filter (where kind in (${kinds.map((kind) => `'${kind}'`).join(', ')})), 0)::float8`

const COUNTS = `
    (count(*) filter (where kind = 'recall'))::int as recalls,
    (count(*) filter (where kind = 'context'))::int as contexts,
    ${sumOf('recall', 'context')} as read,
    ${sumOf('memory.stored', 'conversation.captured', 'import.finished')} as written,
    ${sumOf('memory.changed', 'memory.superseded', 'memory.restored')} as changed,
    ${sumOf('memory.forgotten', 'memory.erased', 'conversation.forgotten')} as deleted`

const COUNT_ASSISTANTS = `
  select client, ${isoText('max(created_at)')} as "lastSeenAt", ${COUNTS},
    coalesce(array_agg(distinct key_id) filter (where key_id is not null), '{}')::text[] as "keyIds"
  from (
    select * from activity_events where owner_id = $1 order by id desc limit $2
  ) e
  where client is not null and kind not in ('fact.found', 'contradiction.found', 'reminder.found')
  group by client order by max(id) desc limit 100`

/** Counts the reads and writes of each assistant in the newest events of an owner, the last seen first. */
export const countAssistants = (
  query: Query,
  ownerId: string,
  events: number,
): Promise<AssistantCounts[]> => query(COUNT_ASSISTANTS, [ownerId, events])

/** The events between two bounds. */
export interface ActivityDayCounts extends ActivityCounts {
  /** The number of its bucket, from 1. */
  bucket: number
  /** The median and the 95th percentile of how long a search took; null without any. */
  tookMs: [median: number, p95: number] | null
}

const COUNT_DAYS = `
  select width_bucket(created_at, $3::text[]::timestamptz[]) as bucket, ${COUNTS},
    percentile_disc(array[0.5, 0.95]) within group (order by took_ms) filter (where took_ms is not null)
      as "tookMs"
  from (
    select * from activity_events where owner_id = $1 order by id desc limit $2
  ) e
  where created_at >= ($3::text[]::timestamptz[])[1]
  group by bucket`

/** Counts the reads and writes in the newest events of an owner between each of the bounds, which ascend, and the next. */
export const countDays = (
  query: Query,
  ownerId: string,
  bounds: readonly string[],
  events: number,
): Promise<ActivityDayCounts[]> => query(COUNT_DAYS, [ownerId, events, bounds])

/** Erases the questions of a user, also those to the memories of organizations. */
export const eraseQuestions = async (query: Query, userId: string): Promise<void> => {
  await query(
    'update activity_events set question = null where user_id = $1 and question is not null',
    [userId],
  )
}

/** Erases who a user is from the messages in the events of others. */
export const erasePeer = async (query: Query, userId: string): Promise<void> => {
  await query('update activity_events set peer_id = null where peer_id = $1', [userId])
}

/** Erases the events of an owner, such as an organization that is deleted. */
export const eraseActivity = async (query: Query, ownerId: string): Promise<void> => {
  await query('delete from activity_events where owner_id = $1', [ownerId])
}

const DELETED_AT_ONCE = 10_000

/** Deletes the events before a number of days, in batches. */
export const deleteActivityBefore = async (query: Query, days: number): Promise<void> => {
  for (;;) {
    const deleted = await query(
      `delete from activity_events where id in (
         select id from activity_events where created_at < now() - make_interval(days => $1) limit $2)
       returning 1`,
      [days, DELETED_AT_ONCE],
    )
    if (deleted.length < DELETED_AT_ONCE) return
  }
}
