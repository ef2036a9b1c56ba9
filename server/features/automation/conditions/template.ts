import { budgets } from '../../../platform/budgets.ts'

const PLACEHOLDER = /\{\{([^{}]{1,200})\}\}/g
/** The length of one value: long memories and messages are cut. */
const MAX_PLACEHOLDER_CHARS = 2_000

/**
 * Replaces the placeholders of a template with values of an event; without a value, with nothing.
 * Placeholders in a value are not replaced.
 */
export const renderTemplate = (template: string, event: unknown): string =>
  template
    .replace(PLACEHOLDER, (_, path: string) => {
      const found = findAt(event, path.trim())
      return found ? textOf(found.value).slice(0, MAX_PLACEHOLDER_CHARS) : ''
    })
    .slice(0, budgets.reflexText.characters)
    .toWellFormed()

const textOf = (value: unknown): string => {
  if (value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Undefined if there is no value; a value may itself be null. */
type FoundValue = { value: unknown } | undefined

/**
 * Reads the value at a path: names and indexes joined by dots (`value.readings.0`), or a JSON pointer
 * (RFC 6901) if it begins with a slash.
 */
export const findAt = (json: unknown, path: string): FoundValue => {
  let value = json
  for (const step of stepsOf(path)) {
    const next = follow(value, step)
    if (!next) return undefined
    value = next.value
  }
  return { value }
}

/** Whether a path is valid: no name is empty, and each `~` of a pointer begins an escape. */
export const isPath = (path: string): boolean =>
  path.startsWith('/') ? !/~(?![01])/.test(path) : path.split('.').every((step) => step.trim())

const stepsOf = (path: string): string[] =>
  path.startsWith('/')
    ? path
        .slice(1)
        .split('/')
        .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    : path.split('.')

const follow = (value: unknown, step: string): FoundValue => {
  if (Array.isArray(value)) {
    const index = /^(0|[1-9]\d{0,8})$/.test(step) ? Number(step) : -1
    return index >= 0 && index < value.length ? { value: value[index] } : undefined
  }
  // Inherited properties are not in the event.
  return value !== null && typeof value === 'object' && Object.hasOwn(value, step)
    ? { value: (value as Record<string, unknown>)[step] }
    : undefined
}
