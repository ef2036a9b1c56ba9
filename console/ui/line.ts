/** A line of a chart over time. */
export interface Line {
  name: string
  /** One for each time; null where there is none. */
  values: readonly (number | null)[]
}

/** More lines in one chart could not be told apart. */
export const MAX_LINES = 6
