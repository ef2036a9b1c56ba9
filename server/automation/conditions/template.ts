import { findAt } from './path.ts'

const PLACE = /\{\{([^{}]{1,200})\}\}/g
/** Of one place; the rest of a long memory or message is not repeated. */
const MAX_PLACE_CHARS = 2_000
/** Of it all, however often a place comes. */
const MAX_CHARS = 20_000

/**
 * Fills in what an event has at the places of a template. What is filled in is text and nothing
 * else: no place in it is looked at again. Where there is nothing, nothing is filled in.
 */
export const fillIn = (template: string, event: unknown): string =>
  template
    .replace(PLACE, (_, path: string) => {
      const found = findAt(event, path.trim())
      return found ? wordsOf(found.value).slice(0, MAX_PLACE_CHARS) : ''
    })
    .slice(0, MAX_CHARS)
    .toWellFormed()

const wordsOf = (value: unknown): string => {
  if (value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
