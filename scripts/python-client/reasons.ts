import { declaredErrors } from '../../server/platform/http/error.ts'
import { errorsOf } from '../../server/platform/http/openapi/responses.ts'
import type { Endpoint } from '../../shared/contract/endpoint.ts'
import { quoted, quotedLines, WIDTH } from './print.ts'

/** The reasons of these rows whose text is always the same and belongs to no other reason, with their texts. */
export const fixedTexts = (
  rows: readonly Endpoint[],
): (readonly [reason: string, text: string])[] => {
  const reasons = new Map<string, Set<string>>()
  for (const reason of new Set(rows.flatMap((row) => Object.values(errorsOf(row)).flat()))) {
    const detail = declaredErrors.get(reason)?.detail
    if (typeof detail !== 'string') continue
    reasons.set(detail, (reasons.get(detail) ?? new Set()).add(reason))
  }
  return [...reasons]
    .filter(([, named]) => named.size === 1)
    .map(([text, named]) => [[...named].join(), text] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
}

/** The entries of a dictionary from a reason to its text. */
export const textLines = (rows: readonly Endpoint[]): string[] =>
  fixedTexts(rows).flatMap(([reason, text]) => entry(reason, text))

const entry = (reason: string, text: string): string[] => {
  const line = `    ${quoted(reason)}: ${quoted(text)},`
  if (line.length <= WIDTH) return [line]
  return [`    ${quoted(reason)}: (`, ...quotedLines(text, 8), '    ),']
}
