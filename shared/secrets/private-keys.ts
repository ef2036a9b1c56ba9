const KEY_BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g
const KEY_END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/y
const MAX_KEY_LENGTH = 20_000
/** A line of a key. In JSON, lines end with an escape sequence. */
const KEY_LINE = /(?:\s|\\[nr]){0,8}[A-Za-z0-9+/=]{16,}/y

/** Replaces blocks of all kinds of private keys, and those that are cut off. */
export const redactPrivateKeys = (text: string, mark: string): string => {
  let redacted = ''
  let from = 0
  for (const { index, 0: begin } of text.matchAll(KEY_BEGIN)) {
    if (index < from) continue
    const end = endOfKey(text, index + begin.length)
    if (end === undefined) continue
    redacted += text.slice(from, index) + mark
    from = end
  }
  return redacted + text.slice(from)
}

/** @returns where a key ends; undefined if none follows. */
const endOfKey = (text: string, start: number): number | undefined => {
  const footer = text.slice(start, start + MAX_KEY_LENGTH).indexOf('-----END ')
  if (footer >= 0) {
    KEY_END.lastIndex = start + footer
    if (KEY_END.test(text)) return KEY_END.lastIndex
  }
  let end: number | undefined
  for (KEY_LINE.lastIndex = start; KEY_LINE.test(text); ) end = KEY_LINE.lastIndex
  return end
}
