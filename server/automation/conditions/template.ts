import { budgets } from '../../platform/budgets.ts'
import { findAt } from './path.ts'

const PLACEHOLDER = /\{\{([^{}]{1,200})\}\}/g
/** Of one placeholder: long memories and messages are cut. */
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
