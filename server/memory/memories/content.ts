import { createHash } from 'node:crypto'
import { parseInstant } from '../../platform/http/validate.ts'
import { isLanguage, languagesOf, searchable } from './language.ts'

export const instantOf = (text: string | null | undefined): string | null =>
  text ? (parseInstant(text)?.toISOString() ?? null) : null

/** As JSON; a page of memories is still a few megabytes at most. */
const MAX_METADATA_CHARACTERS = 65_536

/** What is wrong with metadata that is too long; its place is the caller's to tell. */
export const metadataProblem = (
  metadata: Record<string, unknown> | undefined,
): { type: string; msg: string } | undefined =>
  metadata && JSON.stringify(metadata).length > MAX_METADATA_CHARACTERS
    ? {
        type: 'too_long',
        msg: `Metadata should have at most ${MAX_METADATA_CHARACTERS} characters as JSON`,
      }
    : undefined

/**
 * What is stored of a memory's content; `known` is the language that it was found to be in before.
 */
export const contentColumns = async (content: string, known?: string) => ({
  content_text: content,
  content_hash: contentHash(content),
  search_text: searchTextOf(content),
  languages: isLanguage(known) ? [known] : await languagesOf(content),
  asks: QUESTION_MARK.test(content),
  ends_asking: QUESTION_MARK.test(content.trimEnd().slice(-1)),
})

const searchTextOf = (content: string): string | null => {
  const text = searchable(content)
  return text === content ? null : text
}

/** The question marks of the scripts that have one of their own. */
const QUESTION_MARK = /[?\u037E\u061F\uFF1F]/

/** The first 128 bits of SHA-256, in the form of a UUID, which is how PostgreSQL keeps 128 bits best. */
export const contentHash = (content: string): string =>
  createHash('sha256').update(content).digest('hex').slice(0, 32)
