import { Type } from '@sinclair/typebox'
import { ToolCallError } from '../host.ts'

const MIN_CHARS = 500
const MAX_CHARS = 100_000

/** Arguments that no endpoint has, for answers that do not fit. */
export const paging = {
  max_chars: Type.Optional(
    Type.Integer({
      minimum: MIN_CHARS,
      maximum: MAX_CHARS,
      description: 'Longest answer in characters. Default: about 4,000 tokens.',
    }),
  ),
  cursor: Type.Optional(Type.String({ description: 'From the previous answer, for more.' })),
}

/** @throws ToolCallError */
export const readMaxChars = (value: unknown): number | undefined => {
  if (value === undefined) return undefined
  if (Number.isInteger(value) && Number(value) >= MIN_CHARS && Number(value) <= MAX_CHARS)
    return Number(value)
  throw invalidArgument('max_chars', `must be an integer from ${MIN_CHARS} to ${MAX_CHARS}`)
}

/** Models write null for an argument that they leave out. */
export const withoutNulls = <T extends object>(input: T): T =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null)) as T

export const invalidArgument = (name: string, problem: string): ToolCallError =>
  new ToolCallError(`Invalid arguments: ${name}: ${problem}. Correct them and call again.`)
