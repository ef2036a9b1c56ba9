import type { Database, Db } from '../../platform/db/database.ts'
import {
  changeIntent,
  closeIntent,
  findIntent,
  findIntentBySource,
  type IntentChange,
  type IntentFilter,
  insertIntent,
  insertIntents,
  listOpenIntents,
  pruneIntents,
  rateIntent,
  tallyFeedback,
} from './store.ts'
import type { IntentData, IntentKind, IntentRow } from './table.ts'

export type { IntentChange, IntentData, IntentFilter, IntentKind, IntentRow }

/** What is to wait for a person. */
export interface Opening {
  kind: IntentKind
  /** Names what it comes from, such as `reflex:<firing>`: the same source never asks twice. */
  source: string
  title: string
  text?: string
  /** Not shown before; now, if left out. */
  dueAt?: Date
  weight?: number
  data?: IntentData
}

export interface Decision {
  state: 'done' | 'dismissed'
  /** In a word of the intent's kind. */
  outcome: string
}

/** What follows from a decision, within its transaction. */
export type AfterDecision = (tx: Db, intent: IntentRow) => Promise<void>

export type IntentService = ReturnType<typeof createIntentService>

/**
 * Keeps what waits for a person, whoever opens it and wherever it is shown. Each method takes the
 * transaction that it is part of.
 */
export const createIntentService = ({ db }: Database) => {
  const consequences = new Map<IntentKind, AfterDecision>()

  return {
    /** Opens an intent, unless its source did before, whatever became of that one. */
    async open(
      tx: Db,
      userId: string,
      opening: Opening,
    ): Promise<{ intent: IntentRow; isNew: boolean }> {
      const opened = await insertIntent(tx, { userId, intentId: Bun.randomUUIDv7(), ...opening })
      if (opened) return { intent: opened, isNew: true }
      const before = await findIntentBySource(tx, userId, opening.source)
      return { intent: before as IntentRow, isNew: false }
    },

    /** Opens many at once, as `open` does. @returns all of these sources, also those decided before. */
    openAll: (tx: Db, userId: string, openings: Opening[]): Promise<IntentRow[]> =>
      insertIntents(
        tx,
        userId,
        openings.map((opening) => ({ userId, intentId: Bun.randomUUIDv7(), ...opening })),
      ),

    /** Any of theirs, decided or not; undefined for one that is not there or not theirs. */
    find: (userId: string, intentId: string, tx: Db = db): Promise<IntentRow | undefined> =>
      findIntent(tx, userId, intentId),

    findBySource: (userId: string, source: string, tx: Db = db): Promise<IntentRow | undefined> =>
      findIntentBySource(tx, userId, source),

    /** Open ones, the weightiest first, then the newest. */
    list: (userId: string, filter: IntentFilter, tx: Db = db): Promise<IntentRow[]> =>
      listOpenIntents(tx, userId, filter),

    /**
     * Closes an open intent, with all that follows for its kind.
     * @returns undefined when it is not there or was decided before: of two at once one wins.
     */
    async decide(
      tx: Db,
      userId: string,
      intentId: string,
      decision: Decision,
    ): Promise<IntentRow | undefined> {
      const decided = await closeIntent(tx, userId, intentId, decision)
      if (decided) await consequences.get(decided.kind)?.(tx, decided)
      return decided
    },

    /** Changes how an open one is shown. @returns undefined as `decide`. */
    change: (
      tx: Db,
      userId: string,
      intentId: string,
      change: IntentChange,
    ): Promise<IntentRow | undefined> => changeIntent(tx, userId, intentId, change),

    /** Notes what they think of one, open or not. */
    rate: (
      tx: Db,
      userId: string,
      intentId: string,
      feedback: IntentRow['feedback'],
    ): Promise<void> => rateIntent(tx, userId, intentId, feedback),

    /** By kind, how many more of those opened since then they liked than disliked. */
    tally: (userId: string, since: Date, tx: Db = db): Promise<Map<IntentKind, number>> =>
      tallyFeedback(tx, userId, since),

    /** Takes away what is over or was told, of before a time. */
    prune: (before: Date): Promise<void> => pruneIntents(db, before),

    /** Says what follows when an intent of a kind is decided, by whomever. */
    whenDecided(kind: IntentKind, follow: AfterDecision): void {
      consequences.set(kind, follow)
    },
  }
}
