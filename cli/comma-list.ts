import { usageError } from './errors.ts'
import { oneLine } from './output.ts'

/** The parts of a list with commas. */
export const listIn = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)

/** @param noun for the error: `scope`. @throws CliError for a part that is not one of `known`. */
export const knownIn = <T extends string>(text: string, known: readonly T[], noun: string): T[] =>
  listIn(text).map((part) => {
    const found = known.find((each) => each === part)
    if (found) return found
    throw usageError(`There is no ${noun} ${oneLine(part)}.`, `Use some of: ${known.join(', ')}`)
  })
