import { COUNTED_EVENTS } from '../../../shared/contract/activity-counts.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import { defineRetention } from '../../platform/retention.ts'
import { createActivityFeed, type FollowOptions } from './feed.ts'
import { createActivityLog, type RecordingSettings } from './log.ts'
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
export type { ActivityDayCounts, ActivityFilter, StoredActivity }

/** The events of memories: reads and writes, by whom, for a time. */
export type ActivityService = ReturnType<typeof createActivityService>

export const createActivityService = (
  database: Database,
  log: Pick<Log, 'warn'>,
  settings: () => RecordingSettings,
) => {
  const { record, close } = createActivityLog(database, log, settings)
  const feed = createActivityFeed(database)
  const named = (events: StoredActivity[]) => nameSubjects(database.query, events)
  return {
    record,
    /** Whether events are recorded at all. */
    get isRecorded(): boolean {
      return settings().days > 0
    },
    /** As `follow` of the feed, with the names of their subjects. */
    async *follow(
      ownerId: string,
      after: string,
      options: FollowOptions,
    ): AsyncGenerator<StoredActivity[]> {
      for await (const events of feed.follow(ownerId, after, options)) yield named(events)
    },
    latest: feed.latest,
    /** A page of the events of an owner, newest first. */
    list: async (
      ownerId: string,
      filter: ActivityFilter,
      limit: number,
    ): Promise<StoredActivity[]> =>
      named(await listActivityBefore(database.query, ownerId, filter, limit)),
    async find(ownerId: string, id: string): Promise<StoredActivity | undefined> {
      const event = await findActivity(database.query, ownerId, id)
      return event && (await named([event]))[0]
    },
    /** Counts the reads and writes of each assistant. */
    countAssistants: (ownerId: string): Promise<AssistantCounts[]> =>
      countAssistants(database.query, ownerId, COUNTED_EVENTS),
    /** Counts the reads and writes between each of the bounds, which ascend, and the next. */
    countDays: (ownerId: string, bounds: readonly string[]): Promise<ActivityDayCounts[]> =>
      countDays(database.query, ownerId, bounds, COUNTED_EVENTS),
    /** How long events are kept. */
    get keptDays(): number {
      return settings().days
    },
    /** Whether this server keeps questions at all. */
    get keepsQuestions(): boolean {
      return settings().keepsQuestions
    },
    /** Erases the questions of a user. */
    eraseQuestions: (userId: string): Promise<void> => eraseQuestions(database.query, userId),
    /** Erases the events of an organization within the transaction that deletes it; those of a user end with the user. */
    erase: (tx: Db, ownerId: string): Promise<void> => eraseActivity(database.queryIn(tx), ownerId),
    /** Erases a user from the events of others within the transaction that deletes the account. */
    erasePeer: (tx: Db, userId: string): Promise<void> => erasePeer(database.queryIn(tx), userId),
    async close(): Promise<void> {
      await close().finally(feed.close)
    },
  }
}

export const activityRetention = (settings: () => RecordingSettings) =>
  defineRetention({
    name: 'activity',
    run: ({ query }) => deleteActivityBefore(query, settings().days),
  })
