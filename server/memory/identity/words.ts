/** Whether two values of which the first is no longer than the other say the same. */
export type Likeness = (short: string, long: string) => boolean

export const words = (text: string): string[] => text.toLowerCase().split(/[\s,]+/)

export const beginsAlike: Likeness = (short, long) =>
  words(short).every((word, place) => words(long)[place] === word)

/** "NYC" is New York, and "USA" the United States: initials, and what it is. */
export const isShortFor: Likeness = (short, long) => {
  const initials = long.match(/(?<![\p{L}\p{M}])\p{Lu}/gu)?.join('') ?? ''
  return initials.length > 1 && [initials, `${initials}A`, `${initials}C`].includes(short)
}
