import type { ActivityKind } from '../../../shared/contract/activity.ts'
import { MAX_QUESTION_LENGTH } from '../../../shared/contract/feedback.ts'
import { redactSecrets } from '../../../shared/secrets.ts'
import type { Database } from '../../platform/db/database.ts'
import { databaseFailureOf } from '../../platform/db/faults.ts'
import { mapYielding } from '../../platform/event-loop.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { Log } from '../../platform/log.ts'
import { insertActivity, MAX_OWNERS, type NewActivity } from './store.ts'
import type { ActivityMemoryRef } from './table.ts'

/** A read of memories, or a write to them. */
export interface ActivityEntry {
  kind: ActivityKind
  /** The assistant or program, by the name that it gives itself. */
  client?: string | null
  session?: string | null
  question?: string | null
  /** The name of a reflex or key, or `icog` for a message of svc. */
  subject?: string | null
  /** The other person of a message, whose name is the subject. */
  peerId?: string | null | undefined
  memories?: ActivityMemoryRef[]
  /** Default: the number of `memories`. */
  count?: number
  /** How long a search took. */
  tookMs?: number
}

export type ActivityActor = Pick<Caller, 'ownerId' | 'userId' | 'keyId' | 'client'>

export type RecordActivity = ReturnType<typeof createActivityLog>['record']

export interface RecordingSettings {
  /** How long events are kept, in days; 0: none are recorded. */
  days: number
  /** Whether the texts of questions are kept. */
  keepsQuestions: boolean
  /** Whether credentials in questions are replaced. */
  redacts: boolean
}

/** Events of this time are stored by one statement, so that a recall costs no statement of its own. */
const PAUSE_MS = 50
const RETRY_MS = 1_000
const MAX_AT_ONCE = 500
/** While the database is down, further events are dropped: requests fail then, and memory has a bound. */
const MAX_WAITING = 10_000
/** A credential that begins before the end of a question is still recognized. */
const MAX_CREDENTIAL_LENGTH = 6_000
const MAX_MEMORIES = 100

export const createActivityLog = (
  { background }: Pick<Database, 'background'>,
  log: Pick<Log, 'warn'>,
  settings: () => RecordingSettings,
) => {
  const waiting: NewActivity[] = []
  let isClosed = false
  let storing: Promise<void> | undefined

  const asStored = async (event: NewActivity): Promise<NewActivity> => {
    if (event.question === null) return event
    const { text } = settings().redacts
      ? await redactSecrets(event.question)
      : { text: event.question }
    return { ...event, question: storable(text.slice(0, MAX_QUESTION_LENGTH)) }
  }

  /** Stores what is waiting, in the order of `record`. @throws when the database is down; the events then wait. */
  const storeWaiting = async (): Promise<void> => {
    while (waiting.length > 0) {
      const events = nextBatch(waiting)
      await insertActivity(background.query, await mapYielding(events, asStored)).catch(
        (error: unknown) => {
          if (databaseFailureOf(error)) throw error
          log.warn({ error, dropped: events.length }, 'activity was refused by the database')
        },
      )
      waiting.splice(0, events.length)
    }
  }

  const storeSoon = (): void => {
    storing ??= (async () => {
      let pause = PAUSE_MS
      while (waiting.length > 0 && !isClosed) {
        await Bun.sleep(pause)
        pause = PAUSE_MS
        await storeWaiting().catch((error: unknown) => {
          log.warn({ error, waiting: waiting.length }, 'activity could not be stored; retrying')
          pause = RETRY_MS
        })
      }
    })().finally(() => {
      storing = undefined
    })
  }

  return {
    /** Records an event after it has happened. It returns at once; the event is stored shortly after. */
    record(
      { ownerId, userId, keyId, client: credential }: ActivityActor,
      {
        kind,
        client,
        session,
        question,
        subject,
        peerId = null,
        memories = [],
        count,
        tookMs,
      }: ActivityEntry,
    ): void {
      const { days, keepsQuestions } = settings()
      if (days === 0 || isClosed || waiting.length >= MAX_WAITING) return
      waiting.push({
        ownerId,
        userId,
        kind,
        keyId,
        client: storable(client ?? credential),
        session: storable(session),
        question:
          (keepsQuestions && question?.slice(0, MAX_QUESTION_LENGTH + MAX_CREDENTIAL_LENGTH)) ||
          null,
        subject: storable(subject),
        peerId,
        count: count ?? memories.length,
        memories: memories.slice(0, MAX_MEMORIES),
        tookMs: tookMs === undefined ? null : toTenths(tookMs),
        createdAt: new Date().toISOString(),
      })
      storeSoon()
    },

    /** Stores the events that are waiting. */
    async close(): Promise<void> {
      isClosed = true
      await storing
      await storeWaiting()
    },
  }
}

const toTenths = (value: number): number => Math.round(value * 10) / 10

/** PostgreSQL has no NUL and no half of a surrogate pair, such as at the end of a cut text. */
const storable = (text: string | null | undefined): string | null =>
  text?.toWellFormed().replaceAll('\0', '') ?? null

/** The first events, of so many owners that a notification can name them. */
const nextBatch = (waiting: readonly NewActivity[]): NewActivity[] => {
  const owners = new Set<string>()
  let length = 0
  for (const { ownerId } of waiting.slice(0, MAX_AT_ONCE)) {
    owners.add(ownerId)
    if (owners.size > MAX_OWNERS) break
    length += 1
  }
  return waiting.slice(0, length)
}
