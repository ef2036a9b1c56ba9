/**
 * Makes a name safe within a sentence: on one line, and without bidirectional control characters
 * (UAX #9), which could change how the surrounding text reads.
 */
export const plainName = (name: string): string =>
  name
    .replace(/\p{Bidi_Control}/gu, '')
    .replace(/[\p{Cc}\p{Z}]+/gu, ' ')
    .trim()
