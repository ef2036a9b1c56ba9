import type { Depth } from '../shared/contract/chat.ts'
import type { Context } from './context.ts'
import { nearestWord } from './nearest.ts'
import { oneLine } from './output.ts'

/** Listed here, because importing the schema would load TypeBox on every start. */
export const depths = Object.keys({
  quick: true,
  deep: true,
  sage: true,
} satisfies Record<Depth, true>) as Depth[]

export const isDepth = (text: string): text is Depth => depths.some((depth) => depth === text)

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
