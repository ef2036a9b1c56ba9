import type { Static } from '@sinclair/typebox'
import {
  ACTIVITY_EXCERPT_LENGTH,
  type ActivityDetail,
  type ActivityEvent,
  type ActivityPage,
  type ActivitySettings,
  getActivity,
  getActivitySettings,
  listActivity,
  matchesActivity,
  setActivitySettings,
} from '../../../shared/contract/activity.ts'
import {
  type ActiveAssistant,
  type ActivityDays,
  activityDays,
  listAssistants,
} from '../../../shared/contract/activity-counts.ts'
import type { StreamedResponseOf } from '../../../shared/contract/endpoint.ts'
import type { Memory } from '../../../shared/contract/memories.ts'
import { hasScope, type Scope } from '../../../shared/contract/scopes.ts'
import type { ActivityService, StoredActivity } from '../../account/activity/service.ts'
import type { QuestionPreference } from '../../account/users/settings/service.ts'
import type { FeedbackService } from '../../memory/feedback/service.ts'
import type { IntrospectService } from '../../memory/introspect/service.ts'
import { isReadable } from '../../memory/memories/actor.ts'
import type { MemoryService } from '../../memory/memories/service.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { defineErrors } from '../../platform/http/error.ts'
import type { Mount } from '../../platform/http/route.ts'
import { timeBound } from '../../platform/timezone.ts'
import { lastDays, presentDays } from './days.ts'

const activityError = defineErrors({
  event_not_found: { status: 404, detail: 'Event not found' },
})

/** Memories of an event in a list. */
const LISTED_MEMORIES = 3
const SHARED_MS = 1_000
/** A stream checks its credential before events, at most so often; and after so long without any. */
const CHECK_MS = 1_000
const IDLE_CHECK_MS = 15_000

type Filter = Static<(typeof listActivity)['query']>

interface Follower {
  filter: Filter
  /** The event to begin after. Default: the latest. */
  after: string | undefined
  signal: AbortSignal
  /** @throws when the credential has ended. */
  revalidate(): Promise<void>
}

export type ActivityReader = ReturnType<typeof createActivityReader>

/** Presents the activity of an owner with the memories as they are now. */
export const createActivityReader = (
  activity: ActivityService,
  {
    memories,
    feedback,
    introspect,
    questions,
  }: {
    memories: Pick<MemoryService, 'listByIds'>
    feedback: Pick<FeedbackService, 'marksFor'>
    introspect: Pick<IntrospectService, 'countStored'>
    questions: QuestionPreference
  },
) => {
  const read = async (caller: Caller, ids: string[]): Promise<Memory[]> =>
    ids.length ? memories.listByIds(caller, [...new Set(ids)]) : []
  const readListed = createListedReads(read)

  const present = async (caller: Caller, rows: StoredActivity[]): Promise<ActivityEvent[]> => {
    const found = byId(caller, await readListed(caller, rows))
    return rows.map((row) => ({
      ...presentEvent(caller, row),
      memories: listedOf(row).map(({ id, score }) => ({
        memory_id: id,
        ...(score !== undefined && { score }),
        excerpt: excerptOf(found.get(id)),
      })),
    }))
  }

  return {
    async list(caller: Caller, { limit, since, until, ...filter }: Filter): Promise<ActivityPage> {
      const [from, to] = [since, until].map((text) => timeBound(text, caller.timezone)?.instant)
      const times = { since: from, until: to }
      const selected = { ...filter, ...times, except: hiddenFrom(caller) }
      const rows = await activity.list(caller.ownerId, selected, limit + 1)
      const page = rows.slice(0, limit)
      return {
        events: await present(caller, page),
        next_cursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
      }
    },

    /** @throws ApiError 404 for an event that does not exist or is not the caller's. */
    async get(caller: Caller, id: string): Promise<ActivityDetail> {
      const row = await activity.find(caller.ownerId, id)
      if (!row || isHidden(caller, row)) throw activityError('event_not_found')
      const ids = row.memories.map(({ id }) => id)
      const event = presentEvent(caller, row)
      const [memories, marks] = await Promise.all([
        read(caller, ids),
        event.question && ids.length
          ? feedback.marksFor(caller, ids, event.question)
          : new Map<string, string>(),
      ])
      const found = byId(caller, memories)
      return {
        ...event,
        memories: row.memories.map(({ id, score, explanation }) => ({
          memory_id: id,
          memory: found.get(id) ?? null,
          feedback_id: marks.get(id) ?? null,
          ...(score !== undefined && { score }),
          ...(explanation && { explanation: { ...explanation } }),
        })),
      }
    },

    /** Counts the reads and writes of each assistant, the last seen first. */
    assistants: async ({ ownerId }: Caller): Promise<ActiveAssistant[]> =>
      (await activity.countAssistants(ownerId)).map(({ lastSeenAt, keyIds, ...counts }) => ({
        ...counts,
        last_seen_at: lastSeenAt,
        key_ids: keyIds,
      })),

    /** Counts the reads and writes of each of the last days in the time zone of the caller, oldest first. */
    async days({ ownerId, timezone }: Caller, days: number): Promise<ActivityDays> {
      const { names, bounds } = lastDays(days, timezone)
      const [counted, memories] = await Promise.all([
        activity.countDays(ownerId, bounds.slice(0, -1)),
        introspect.countStored(ownerId, bounds.slice(1)),
      ])
      return { days: presentDays(names, counted, memories), kept_days: activity.keptDays }
    },

    async settings({ userId }: Caller): Promise<ActivitySettings> {
      return {
        keeps_questions: activity.keepsQuestions && (await questions.isKept(userId)),
        is_fixed: !activity.keepsQuestions,
      }
    },

    /** Chooses whether the caller's questions are kept, and erases them if not. */
    async keepQuestions(caller: Caller, keeps: boolean): Promise<ActivitySettings> {
      await questions.keep(caller.userId, keeps)
      if (!keeps) await activity.eraseQuestions(caller.userId)
      return this.settings(caller)
    },

    /** Events as they happen. It ends with an error when the credential does. */
    async *follow(
      caller: Caller,
      { filter, after, signal, revalidate }: Follower,
    ): StreamedResponseOf<typeof listActivity> {
      const from = after ?? (await activity.latest())
      yield { event: 'ready', id: from, data: { after: from, recorded: activity.isRecorded } }
      let checkedAt = performance.now()
      const check = async (ageMs: number) => {
        if (performance.now() - checkedAt < ageMs) return
        await revalidate()
        checkedAt = performance.now()
      }
      for await (const rows of activity.follow(caller.ownerId, from, {
        signal,
        idleMs: IDLE_CHECK_MS,
      })) {
        await check(rows.length ? CHECK_MS : IDLE_CHECK_MS)
        const events = await present(
          caller,
          rows.filter((row) => matchesActivity(filter, row) && !isHidden(caller, row)),
        )
        for (const data of events) yield { event: 'activity', id: data.id, data }
      }
    },
  }
}

/** The streams of an owner present the same row at the same moment: its memories are read once for all. */
const createListedReads = (read: (caller: Caller, ids: string[]) => Promise<Memory[]>) => {
  const shared = new WeakMap<StoredActivity, { readAt: number; found: Promise<Memory[]> }>()
  return async (caller: Caller, rows: StoredActivity[]): Promise<Memory[]> => {
    const readAt = performance.now()
    const isOld = (row: StoredActivity) => {
      const last = shared.get(row)
      return !last || readAt - last.readAt > SHARED_MS
    }
    const old = rows.filter(isOld)
    const found = read(
      caller,
      old.flatMap(listedOf).map(({ id }) => id),
    )
    for (const row of old) shared.set(row, { readAt, found })
    const all = await Promise.all(new Set(rows.map((row) => shared.get(row)?.found ?? [])))
    return all.flat()
  }
}

/** The scopes beside `memory:read` that show what is not of memories, by the starts of kinds. */
const SCOPES: readonly (readonly [scope: Scope, ...starts: string[]])[] = [
  ['account:read', 'session.', 'key.', 'account.', 'reflex.', 'confirmation.'],
  ['chat', 'message.'],
]

const hiddenFrom = ({ scopes }: Caller): string[] =>
  SCOPES.flatMap(([scope, ...starts]) => (hasScope(scopes, scope) ? [] : starts))

const isHidden = (caller: Caller, { kind }: Pick<StoredActivity, 'kind'>): boolean =>
  hiddenFrom(caller).some((start) => kind.startsWith(start))

const listedOf = ({ memories }: StoredActivity) => memories.slice(0, LISTED_MEMORIES)

/** Those that the caller may read. */
const byId = (caller: Caller, memories: readonly Memory[]): Map<string, Memory> =>
  new Map(
    memories
      .filter(({ source }) => isReadable(caller, source.trust))
      .map((memory) => [memory.memory_id, memory]),
  )

const presentEvent = (caller: Caller, row: StoredActivity) => ({
  id: row.id,
  kind: row.kind,
  created_at: row.createdAt,
  user_id: row.userId,
  key_id: row.keyId,
  client: row.client,
  session: row.session,
  // Members of an organization share its memories, not their questions.
  question: row.userId === caller.userId ? row.question : null,
  subject: row.subject,
  count: row.count,
  took_ms: row.tookMs,
})

const excerptOf = (memory: Memory | undefined): string | null =>
  memory ? Array.from(memory.content_text).slice(0, ACTIVITY_EXCERPT_LENGTH).join('') : null

export const activityRoutes = (mount: Mount, reader: ActivityReader): void => {
  mount(listActivity, ({ caller, query, wantsStream, header, signal, revalidate }) => {
    if (!wantsStream) return reader.list(caller, query)
    const resumed = /^\d{1,18}$/.exec(header('last-event-id') ?? '')?.[0]
    return reader.follow(caller, {
      filter: query,
      after: resumed ?? query.after,
      signal,
      revalidate,
    })
  })
  mount(listAssistants, async ({ caller }) => ({ assistants: await reader.assistants(caller) }))
  mount(activityDays, ({ caller, query }) => reader.days(caller, query.days))
  mount(getActivitySettings, ({ caller }) => reader.settings(caller))
  mount(setActivitySettings, ({ caller, body }) =>
    reader.keepQuestions(caller, body.keeps_questions),
  )
  mount(getActivity, ({ caller, params }) => reader.get(caller, params.event_id))
}
