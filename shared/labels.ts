/**
 * Invisible characters that do not change a text: spaces without a width, soft hyphens, byte order marks, marks of
 * direction, and joiners after a character that never joins. Others spell: joiners in Persian, in the scripts of India
 * and in emoji, selectors of variants, and the tag characters of flags.
 */
const INVISIBLE =
  /[\u00AD\u061C\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u2064\u2066-\u206F\uFEFF\u{1BCA0}-\u{1BCA3}\u{1D173}-\u{1D17A}\u{E0001}]/gu
const UNUSED_JOINER = /(?<![^\p{ASCII}\s\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}])[\u200C\u200D]+/gu

export const withoutInvisible = (text: string): string =>
  text.replace(INVISIBLE, '').replace(UNUSED_JOINER, '')

/** A tag or the name of an author as it is stored: without invisible characters and surplus blanks. */
export const normalizeLabel = (label: string): string =>
  withoutInvisible(label.normalize('NFC')).replace(/\s+/g, ' ').trim()

/**
 * The form in which tags and names of authors are compared, as in the Nickname profile of PRECIS (RFC 8266), with the
 * pairs that lower case alone does not join: ß and SS, both forms of the Greek sigma, and İ, which is not ı.
 */
export const foldLabel = (label: string): string =>
  normalizeLabel(
    label
      .normalize('NFKC')
      .toLowerCase()
      .replaceAll('ß', 'ss')
      .replaceAll('ς', 'σ')
      .replaceAll('i\u0307', 'i'),
  )

/** Tags as they are stored, each in the spelling of its first use. */
export const uniqueLabels = (labels: readonly string[]): string[] => {
  const unique = new Map<string, string>()
  for (const label of labels) {
    const folded = foldLabel(label)
    if (folded && !unique.has(folded)) unique.set(folded, normalizeLabel(label))
  }
  return [...unique.values()]
}
