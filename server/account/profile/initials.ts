const PATH = '/api/avatars/'
const FILE = /^initials-((?:[0-9a-f]{2}){1,8})-(\d{1,2})\.svg$/
const TONES = 12
const NOBODY = '?'
const DRAWABLE = /^(?:[\p{L}\p{N}]{1,2}|\?)$/u

/**
 * Where a picture is served for a person who has none. Its name says all that it shows: initials, and
 * one of twelve tones that goes with the id. So it needs no keeping, and never changes.
 */
export const initialsPath = (userId: string, name: string): string => {
  const tone = Number.parseInt(userId.slice(-4), 16) % TONES
  return `${PATH}initials-${Buffer.from(initialsOf(name)).toString('hex')}-${tone}.svg`
}

/** @returns undefined for a file that no such path names. */
export const drawInitials = (file: string): Uint8Array | undefined => {
  const [, hex = '', tone = ''] = FILE.exec(file) ?? []
  const initials = Buffer.from(hex, 'hex').toString()
  if (!DRAWABLE.test(initials) || Number(tone) >= TONES) return undefined
  return Buffer.from(drawing(initials, (Number(tone) * 360) / TONES))
}

/** Of the first and the last word. */
const initialsOf = (name: string): string => {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? []
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word = '') => {
    const [first = ''] = word
    const [upper = ''] = first.toUpperCase()
    return upper
  })
  return letters.join('') || NOBODY
}

const drawing = (initials: string, hue: number): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200" viewBox="0 0 200 200"><rect width="200" height="200" fill="hsl(${hue}, 45%, 35%)"/><text x="100" y="100" fill="#fff" font-family="system-ui, sans-serif" font-size="84" text-anchor="middle" dominant-baseline="central">${initials}</text></svg>`
