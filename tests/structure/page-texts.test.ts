import { describe, expect, test } from 'bun:test'
import { declaredErrors } from '../../server/platform/http/error.ts'
import { PAGE_TEXTS_DE } from '../../server/platform/http/texts/de.ts'
import '../../server/services.ts'
import { createErrorTranslation, type Texts } from '../../shared/error-texts.ts'
import { ERROR_TEXTS_DE } from '../../shared/error-texts-de.ts'
import { isObject } from '../../shared/objects.ts'
import { FEATURE_ROWS, METRIC_ROWS } from '../../shared/tiers.ts'
import { literals, markupTexts, pageTexts } from './page-texts.ts'

const placesOf = (text: string): string[] => [...new Set(text.match(/\{\d\}/g))].toSorted()

/** The texts of a catalog whose translation has other places than the English text. */
const withOtherPlaces = (texts: Texts): string[] =>
  Object.entries(texts)
    .filter(([english, text]) => placesOf(english).join() !== placesOf(text).join())
    .map(([english]) => english)

/** The messages of an error that has no values: its text, or those of its fields. */
const messagesOf = (detail: unknown): string[] => {
  if (typeof detail === 'string') return [detail]
  if (!Array.isArray(detail)) return []
  return detail.filter(isObject).map(({ msg }) => String(msg))
}

describe('texts of pages', () => {
  // The pricing page has the labels of the rows.
  const labels = [...METRIC_ROWS, ...FEATURE_ROWS].map(({ label }) => label)
  const used = new Set([...labels, ...pageTexts.map(({ text }) => text)])

  test('the scan finds the texts and the markup', () => {
    expect(pageTexts.length).toBeGreaterThan(100)
    expect(markupTexts.length).toBeGreaterThan(50)
  })

  test('every text has a German one', () => {
    expect([...used].filter((text) => !PAGE_TEXTS_DE[text])).toEqual([])
  })

  test('the German catalog has no text that no page uses', () => {
    expect(Object.keys(PAGE_TEXTS_DE).filter((text) => !used.has(text))).toEqual([])
  })

  test('the German texts have the places of the English ones', () => {
    expect(withOtherPlaces(PAGE_TEXTS_DE)).toEqual([])
  })

  test('the markup has no text outside t, except for code and the name', () => {
    const words = markupTexts.filter(({ text }) => /\p{L}{2}/u.test(text.replace(/\bsvc\b/g, '')))
    expect(words).toEqual([])
  })
})

describe('error messages', () => {
  const german = createErrorTranslation(ERROR_TEXTS_DE)

  test('every error without values has a German message', () => {
    const messages = [...declaredErrors.values()].flatMap((row) => messagesOf(row?.detail))
    expect(messages.length).toBeGreaterThan(100)
    expect([...new Set(messages)].filter((message) => !german(message))).toEqual([])
  })

  test('the German texts have no message that the source does not have', async () => {
    const sources = [...(await literals())].filter((text) => /\p{L}{4}/u.test(text))
    const inSource = createErrorTranslation(Object.fromEntries(sources.map((text) => [text, text])))
    const isUsed = (message: string) =>
      inSource(message) !== undefined ||
      // The wait of a limit is translated apart.
      sources.some((text) => text.startsWith(`${message}. Try again in `))
    expect(isUsed('A message of no error')).toBe(false)
    expect(Object.keys(ERROR_TEXTS_DE).filter((message) => !isUsed(message))).toEqual([])
  })

  test('the German texts have the places of the English ones', () => {
    expect(withOtherPlaces(ERROR_TEXTS_DE)).toEqual([])
  })
})
