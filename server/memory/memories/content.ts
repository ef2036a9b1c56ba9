import { createHash } from 'node:crypto'
import { parseInstant } from '../../../shared/contract/common.ts'
import { budgets } from '../../platform/budgets.ts'
import { createSteps } from '../../platform/event-loop.ts'
import { extractExactForms } from '../text/exact-forms.ts'
import { detectLanguages, isLanguage } from '../text/language.ts'
import { toSearchText } from '../text/segmentation.ts'
import { builtInVector } from './vectors.ts'

export const isoInstant = (text: string | null | undefined): string | null =>
  text ? (parseInstant(text)?.toISOString() ?? null) : null

const MAX_METADATA_CHARACTERS = budgets.memoryMetadata.characters

/** @returns the error of metadata that is too long, without its place in the request. */
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
 * The columns that are derived from a memory's content.
 * @param language the text search configuration that it was found to be written in before, of an import.
 */
export const contentColumns = async (content: string, language?: string) => {
  const step = createSteps()
  return {
    content_text: content,
    content_hash: contentHash(content),
    search_text: await step(searchTextColumn(content)),
    vector: await step(builtInVector(content)),
    exact_forms: await step(extractExactForms(content)),
    languages: isLanguage(language) ? [language] : await step(detectLanguages(content)),
    asks: QUESTION_MARK.test(content),
    ends_asking: QUESTION_MARK.test(content.trimEnd().slice(-1)),
  }
}

const searchTextColumn = async (content: string): Promise<string | null> => {
  const text = await toSearchText(content)
  return text === content ? null : text
}

/** The question marks of the scripts that have one of their own. */
const QUESTION_MARK = /[?\u037E\u061F\uFF1F]/

/** The first 128 bits of SHA-256, as a UUID: PostgreSQL stores 128 bits most compactly as one. */
export const contentHash = (content: string): string =>
  createHash('sha256').update(content).digest('hex').slice(0, 32)
