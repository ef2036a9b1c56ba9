/** The relation of the time asked for to a date: in it, before it, after it, or from it on. */
export type Direction = 'in' | 'before' | 'after' | 'since'

const DIRECTIONS: [RegExp, Direction][] = [
  [/\b(?:before|until|prior to) (?:the )?$/i, 'before'],
  [/\bafter (?:the )?$/i, 'after'],
  [/\bsince (?:the )?$/i, 'since'],
]

/** Reads the direction from the words right before a date. */
export const parseDirection = (before: string): Direction =>
  DIRECTIONS.find(([pattern]) => pattern.test(before.slice(-20)))?.[1] ?? 'in'

const BETWEEN = /\bbetween ([^.?!\n]{1,40}?) and /gi

/** Rewrites "between May and July" as the range that the parser reads. */
export const normalizeRanges = (text: string): string => text.replace(BETWEEN, '$1 to ')
