/** The mention as a word: not within an address, a path or another word. */
const MENTION = /(?<![\p{L}\p{M}\p{N}_@/+-])@icog(?![\p{L}\p{M}\p{N}_@/-]|\.[\p{L}\p{N}])/giu

export const mentionsIcog = (content: string): boolean => content.search(MENTION) >= 0

export const withoutMention = (content: string): string =>
  content.replace(MENTION, ' ').replace(/\s+/g, ' ').trim()
