import { redactSecrets } from '../../shared/secrets.ts'
import { readForm } from './secret-forms.ts'

/** @returns the forms whose credential stays in the text. */
export const missedForms = async (forms: readonly string[]): Promise<string[]> => {
  const missed: string[] = []
  for (const form of forms) {
    const { text, secret } = readForm(form)
    if (!secret || !text.includes(secret)) throw new Error(`A form needs a credential: ${form}`)
    if ((await redactSecrets(text)).text.includes(secret)) missed.push(form)
  }
  return missed
}

/** @returns the lines that are changed though they have no credential. */
export const changedLines = async (lines: readonly string[]): Promise<string[]> => {
  const changed: string[] = []
  for (const line of lines) if ((await redactSecrets(line)).text !== line) changed.push(line)
  return changed
}
