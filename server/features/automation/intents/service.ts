import type { Database, Db } from '../../../platform/db/database.ts'
import {
  closeIntent,
  findIntent,
  findIntentBySource,
  type IntentFilter,
  type IntentUpdate,
  insertIntent,
  insertIntents,
  listOpenIntents,
  setFeedback,
  sumFeedback,
  updateIntent,
} from './store.ts'
import type { IntentData, IntentKind, IntentRow } from './table.ts'

export type { IntentData, IntentFilter, IntentKind, IntentRow, IntentUpdate }

/** An item to open for a user. */
export interface NewIntent {
  kind: IntentKind
  /** Identifies its origin, such as `reflex:<firing>`: a source opens one intent at most. */
  source: string
  title: string
  text?: string
  /** Hidden before; now, if left out. */
  dueAt?: Date
  weight?: number
  data?: IntentData
}

interface Decision {
  state: 'done' | 'dismissed'
  /** From the vocabulary of the intent's kind. */
  outcome: string
}

/** Called within the transaction of a decision. */
type OnDecided = (tx: Db, intent: IntentRow) => Promise<void>

export type IntentService = ReturnType<typeof createIntentService>

/** Items that wait for a user. Methods take part in the transaction that they are given. */
export const createIntentService = ({ db }: Database) => {
  const listeners = new Map<IntentKind, OnDecided>()

  return {
    /** Opens an intent, unless its source opened one before, which may be decided by now. */
    async open(
      tx: Db,
      userId: string,
      newIntent: NewIntent,
    ): Promise<{ intent: IntentRow; isNew: boolean }> {
      const opened = await insertIntent(tx, { userId, intentId: Bun.randomUUIDv7(), ...newIntent })
      if (opened) return { intent: opened, isNew: true }
      const before = await findIntentBySource(tx, userId, newIntent.source)
      return { intent: before as IntentRow, isNew: false }
    },

    /** Opens several as `open` does. @returns the intents of all sources, including decided ones. */
    openAll: (tx: Db, userId: string, newIntents: NewIntent[]): Promise<IntentRow[]> =>
      insertIntents(
        tx,
        userId,
        newIntents.map((each) => ({ userId, intentId: Bun.randomUUIDv7(), ...each })),
      ),

    /** Includes decided intents. */
    find: (userId: string, intentId: string, tx: Db = db): Promise<IntentRow | undefined> =>
      findIntent(tx, userId, intentId),

    findBySource: (userId: string, source: string, tx: Db = db): Promise<IntentRow | undefined> =>
      findIntentBySource(tx, userId, source),

    /** Open intents by weight, then newest first. */
    list: (userId: string, filter: IntentFilter, tx: Db = db): Promise<IntentRow[]> =>
      listOpenIntents(tx, userId, filter),

    /**
     * Closes an open intent and calls the listener of its kind.
     * @returns undefined if it does not exist or was decided before.
     */
    async decide(
      tx: Db,
      userId: string,
      intentId: string,
      decision: Decision,
    ): Promise<IntentRow | undefined> {
      const decided = await closeIntent(tx, userId, intentId, decision)
      if (decided) await listeners.get(decided.kind)?.(tx, decided)
      return decided
    },

    /** @returns undefined unless the intent is open. */
    update: (
      tx: Db,
      userId: string,
      intentId: string,
      update: IntentUpdate,
    ): Promise<IntentRow | undefined> => updateIntent(tx, userId, intentId, update),

    /** Sets the user's feedback on an intent, open or not. */
    setFeedback: (
      tx: Db,
      userId: string,
      intentId: string,
      feedback: IntentRow['feedback'],
    ): Promise<void> => setFeedback(tx, userId, intentId, feedback),

    /** Thumbs up minus thumbs down for intents created since then, by kind. */
    feedbackSince: (userId: string, since: Date, tx: Db = db): Promise<Map<IntentKind, number>> =>
      sumFeedback(tx, userId, since),

    /** Registers the listener for decisions on intents of a kind. */
    onDecided(kind: IntentKind, listener: OnDecided): void {
      listeners.set(kind, listener)
    },
  }
}
