import type { Context } from './context.ts'
import { nearestWord } from './nearest.ts'
import { oneLine } from './output.ts'

/** The providers of answers. */
export const providers = ['openrouter', 'openai', 'ollama', 'local'] as const

/** Warns if another provider than the requested one answered. */
export const warnOfProvider = (
  { io }: Context,
  requested: string | undefined,
  answered: string | undefined,
): void => {
  if (requested === undefined || answered === undefined || requested === answered) return
  const near = nearestWord(requested, providers)
  const advice = near && near !== requested ? ` Did you mean ${near}?` : ''
  io.message(
    `warning: ${oneLine(requested)} is not available, so ${oneLine(answered)} answered.${advice}`,
  )
}
