import { redactSecrets } from '../../shared/secrets.ts'
import { readForm } from './secret-forms.ts'

/** @returns the forms whose credential stays in the text. */
export const missedForms = async (forms: readonly string[]): Promise<string[]> => {
  const missed: string[] = []
  for (const form of forms) {
    const { text, secret } = readForm(form)
    if (!secret || !text.includes(secret)) throw new Error(`A form needs a credential: ${form}`)
    const redacted = (await redactSecrets(text)).text
    const around = text.replaceAll(secret, '')
    // Also of a password of several words no word may stay.
    const words = secret.split(/\s+/).filter((word) => word.length > 1 && !around.includes(word))
    if (words.some((word) => redacted.includes(word))) missed.push(form)
  }
  return missed
}

/** @returns the lines that are changed though they have no credential. */
export const changedLines = async (lines: readonly string[]): Promise<string[]> => {
  const changed: string[] = []
  for (const line of lines) if ((await redactSecrets(line)).text !== line) changed.push(line)
  return changed
}
