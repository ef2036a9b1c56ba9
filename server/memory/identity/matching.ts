/** Whether two values match. The first is never longer than the second. */
export type ValueMatcher = (short: string, long: string) => boolean

export const words = (text: string): string[] => text.toLowerCase().split(/[\s,]+/)

export const startsWithWords: ValueMatcher = (short, long) =>
  words(short).every((word, index) => words(long)[index] === word)

/** "NYC" is New York City, and "USA" the United States of America: initials, with or without C or A. */
export const isAbbreviation: ValueMatcher = (short, long) => {
  const initials = long.match(/(?<![\p{L}\p{M}])\p{Lu}/gu)?.join('') ?? ''
  return initials.length > 1 && [initials, `${initials}A`, `${initials}C`].includes(short)
}
