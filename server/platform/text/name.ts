/**
 * A name as it may stand in a sentence of ours: on one line, and without the marks that turn the
 * direction of writing (UAX #9), which could make what stands beside it read as something else.
 */
export const plainName = (name: string): string =>
  name
    .replace(/\p{Bidi_Control}/gu, '')
    .replace(/[\p{Cc}\p{Z}]+/gu, ' ')
    .trim()
