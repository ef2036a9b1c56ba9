/** How long a text may be, in tokens or characters. */
export interface TextLimit {
  limit: number
  /** The cost of a code point. */
  cost(codePoint: number): number
}

/** The length in UTF-16, as that of a string. */
export const codeUnits = (codePoint: number): number => (codePoint > 0xffff ? 2 : 1)

/** The length in UTF-8. */
export const utf8Bytes = (codePoint: number): number => {
  if (codePoint < 0x80) return 1
  if (codePoint < 0x800) return 2
  return codePoint < 0x10000 ? 3 : 4
}

export const costOf = (text: string, { cost }: Pick<TextLimit, 'cost'>): number => {
  let sum = 0
  for (let at = 0; at < text.length; ) {
    const codePoint = text.codePointAt(at) ?? 0
    sum += cost(codePoint)
    at += codeUnits(codePoint)
  }
  return sum
}

/** The end of the longest part from `start` that costs at most `limit`, between two code points. */
export const endWithin = (text: string, start: number, { limit, cost }: TextLimit): number => {
  let left = limit
  let at = start
  while (at < text.length) {
    const codePoint = text.codePointAt(at) ?? 0
    left -= cost(codePoint)
    if (left < 0) break
    at += codeUnits(codePoint)
  }
  return at
}
