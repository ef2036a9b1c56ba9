/** The writes of a user: acknowledged, or sent without an answer, so that they may have happened or not. */
export interface History {
  /** The ids of acknowledged notes by content. */
  notes: Map<string, string>
  /** The contents of each batch without an answer: all or none of them may be there. */
  openBatches: string[][]
  /** Contents whose deletion was acknowledged. */
  deleted: Set<string>
  /** Contents whose deletion had no answer. */
  perhapsDeleted: Set<string>
  /** The last acknowledged number of the register. */
  register: number
  /** Numbers without an answer: a frozen process may write them later. */
  perhapsRegistered: Set<number>
  /** Acknowledged signals. */
  signals: Set<number>
  /** How many signals were sent, with or without an answer. */
  sentSignals: number
  /** Broken promises, in words. */
  violations: string[]
}

export const newHistory = (): History => ({
  notes: new Map(),
  openBatches: [],
  deleted: new Set(),
  perhapsDeleted: new Set(),
  register: 0,
  perhapsRegistered: new Set(),
  signals: new Set(),
  sentSignals: 0,
  violations: [],
})
