import { COUNTED_EVENTS } from '../../../shared/contract/activity-counts.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import { defineRetention } from '../../platform/retention.ts'
import { type ActivityFeed, createActivityFeed } from './feed.ts'
import { type ActivityLog, createActivityLog, type RecordingSettings } from './log.ts'
import {
  type ActivityDayCounts,
  type ActivityFilter,
  type AssistantCounts,
  countAssistants,
  countDays,
  deleteActivityBefore,
  eraseActivity,
  erasePeer,
  eraseQuestions,
  findActivity,
  listActivityBefore,
  nameSubjects,
  type StoredActivity,
} from './store.ts'

export type { ActivityActor, ActivityEntry, RecordActivity, RecordingSettings } from './log.ts'
export type { ActivityFilter, StoredActivity }

/** The events of memories: reads and writes, by whom, for a time. */
export interface ActivityService extends ActivityLog, ActivityFeed {
  /** Whether events are recorded at all. */
  readonly isRecorded: boolean
  /** A page of the events of an owner, newest first. */
  list(ownerId: string, filter: ActivityFilter, limit: number): Promise<StoredActivity[]>
  find(ownerId: string, id: string): Promise<StoredActivity | undefined>
  /** Counts the reads and writes of each assistant. */
  countAssistants(ownerId: string): Promise<AssistantCounts[]>
  /** Counts the reads and writes between each of the bounds, which ascend, and the next. */
  countDays(ownerId: string, bounds: readonly string[]): Promise<ActivityDayCounts[]>
  /** How long events are kept. */
  readonly keptDays: number
  /** Whether this server keeps questions at all. */
  readonly keepsQuestions: boolean
  /** Erases the questions of a user. */
  eraseQuestions(userId: string): Promise<void>
  /** Erases the events of an organization within the transaction that deletes it; those of a user end with the user. */
  erase(tx: Db, ownerId: string): Promise<void>
  /** Erases a user from the events of others within the transaction that deletes the account. */
  erasePeer(tx: Db, userId: string): Promise<void>
}

export const createActivityService = (
  database: Database,
  log: Pick<Log, 'warn'>,
  settings: () => RecordingSettings,
): ActivityService => {
  const { record, close } = createActivityLog(database, log, settings)
  const feed = createActivityFeed(database)
  const named = (events: StoredActivity[]) => nameSubjects(database.query, events)
  return {
    record,
    get isRecorded() {
      return settings().days > 0
    },
    async *follow(ownerId, after, options) {
      for await (const events of feed.follow(ownerId, after, options)) yield named(events)
    },
    latest: feed.latest,
    list: async (ownerId, filter, limit) =>
      named(await listActivityBefore(database.query, ownerId, filter, limit)),
    async find(ownerId, id) {
      const event = await findActivity(database.query, ownerId, id)
      return event && (await named([event]))[0]
    },
    countAssistants: (ownerId) => countAssistants(database.query, ownerId, COUNTED_EVENTS),
    countDays: (ownerId, bounds) => countDays(database.query, ownerId, bounds, COUNTED_EVENTS),
    get keptDays() {
      return settings().days
    },
    get keepsQuestions() {
      return settings().keepsQuestions
    },
    eraseQuestions: (userId) => eraseQuestions(database.query, userId),
    erase: (tx, ownerId) => eraseActivity(database.queryIn(tx), ownerId),
    erasePeer: (tx, userId) => erasePeer(database.queryIn(tx), userId),
    async close() {
      await close().finally(feed.close)
    },
  }
}

export const activityRetention = (settings: () => RecordingSettings) =>
  defineRetention({
    name: 'activity',
    run: ({ query }) => deleteActivityBefore(query, settings().days),
  })
