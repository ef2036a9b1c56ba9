import { AVATARS_PATH } from './avatars.ts'

const FILE = /^initials-((?:[0-9a-f]{2}){1,8})-(\d{1,2})\.svg$/
const HUES = 12
const NO_INITIALS = '?'
const DRAWABLE = /^(?:[\p{L}\p{N}]{1,2}|\?)$/u

/**
 * The path of the generated picture of a user without an uploaded one. The file name encodes the
 * initials and one of twelve hues, so the picture is not stored.
 */
export const initialsPath = (userId: string, name: string): string => {
  const hue = Number.parseInt(userId.slice(-4), 16) % HUES
  return `${AVATARS_PATH}initials-${Buffer.from(initialsOf(name)).toString('hex')}-${hue}.svg`
}

/** @returns undefined when `file` is not a name that `initialsPath` creates. */
export const drawInitials = (file: string): Uint8Array | undefined => {
  const [, hex = '', hue = ''] = FILE.exec(file) ?? []
  const initials = Buffer.from(hex, 'hex').toString()
  if (!DRAWABLE.test(initials) || Number(hue) >= HUES) return undefined
  return Buffer.from(renderSvg(initials, (Number(hue) * 360) / HUES))
}

/** The initials of the first and the last word. */
const initialsOf = (name: string): string => {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? []
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word = '') => {
    const [first = ''] = word
    const [upper = ''] = first.toUpperCase()
    return upper
  })
  return letters.join('') || NO_INITIALS
}

const renderSvg = (initials: string, degrees: number): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200" viewBox="0 0 200 200"><rect width="200" height="200" fill="hsl(${degrees}, 45%, 35%)"/><text x="100" y="100" fill="#fff" font-family="system-ui, sans-serif" font-size="84" text-anchor="middle" dominant-baseline="central">${initials}</text></svg>`
