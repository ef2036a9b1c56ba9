import type { Command } from 'commander'
import { usageError } from '../errors.ts'
import { readWords } from './words.ts'

/**
 * Joins `--json` and the names of fields after it, so that commander does not read another word as names:
 * `--json id,name` becomes `--json=id,name`, and `--json whoami` becomes `--json= whoami`. A single word is
 * a name if the command has no argument left for it. A last word that may be either is refused: `svc remember`
 * would store the name of a field.
 */
export const withJsonFields = (program: Command, args: readonly string[]): string[] => {
  const end = args.indexOf('--')
  const at = args.indexOf('--json')
  if (at < 0 || (end >= 0 && end < at)) return [...args]
  const next = args[at + 1] ?? ''
  const before = args.slice(0, at)
  const after = args.slice(at + 2)
  if (isName(next) && after.length === 0 && isAfterText(program, before))
    throw usageError(
      `${next} may be a field or a part of the text.`,
      `For the field, write --json=${next}. For the text, put --json at the end.`,
    )
  return isListOfFields(next) || (isName(next) && isExcess(program, [...before, next, ...after]))
    ? [...before, `--json=${next}`, ...after]
    : [...before, '--json=', ...args.slice(at + 1)]
}

const isListOfFields = (word: string): boolean => /^\w+(?:, ?\w+)+$/.test(word)

const isName = (word: string): boolean => /^\w+$/.test(word)

/** Whether the command takes any number of words, and has some. */
const isAfterText = (program: Command, words: string[]): boolean => {
  const { command, positionals } = readWords(program, words)
  return positionals.length > 0 && command.registeredArguments.at(-1)?.variadic === true
}

/** Whether a command line has more arguments than its command. */
const isExcess = (program: Command, words: string[]): boolean => {
  const { command, positionals } = readWords(program, words)
  const expected = command.registeredArguments
  if (command.commands.length || expected.at(-1)?.variadic) return false
  return positionals.length > expected.length
}
