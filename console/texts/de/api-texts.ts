import { createErrorTranslation } from '../../../shared/error-texts.ts'
import { ERROR_TEXTS_DE } from '../../../shared/error-texts-de.ts'

const translate = createErrorTranslation(ERROR_TEXTS_DE)

export const apiText = (message: string): string => translate(message) ?? message
