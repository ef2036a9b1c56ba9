import { Type } from '@sinclair/typebox'
import { ToolCallError } from '../host.ts'

const MIN_CHARS = 500
const MAX_CHARS = 100_000

/** Arguments that no endpoint has, for answers that do not fit. */
export const paging = {
  cursor: Type.Optional(Type.String({ description: 'From the previous answer.' })),
}

/**
 * Takes `max_chars`, the longest answer in characters, from the arguments. It is not published: an answer
 * that does not fit names it.
 * @throws ToolCallError
 */
export const takeMaxChars = <T extends object>(
  input: T,
): { maxChars: number | undefined; rest: T } => {
  const { max_chars: value, ...rest } = input as T & { max_chars?: unknown }
  if (value === undefined) return { maxChars: undefined, rest: rest as unknown as T }
  if (Number.isInteger(value) && Number(value) >= MIN_CHARS && Number(value) <= MAX_CHARS)
    return { maxChars: Number(value), rest: rest as unknown as T }
  throw invalidArgument('max_chars', `must be an integer from ${MIN_CHARS} to ${MAX_CHARS}`)
}

/** Models write null for an argument that they leave out. */
export const withoutNulls = <T extends object>(input: T): T =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null)) as T

export const invalidArgument = (name: string, problem: string): ToolCallError =>
  new ToolCallError(`Invalid arguments: ${name}: ${problem}. Correct them and call again.`)
