import type { Command } from 'commander'
import { readWords } from './words.ts'

/**
 * Joins `--json` and the names of fields after it, so that commander does not read another word as names:
 * `--json id,name` becomes `--json=id,name`, and `--json whoami` becomes `--json= whoami`. A single word is
 * a name if the command has no argument left for it.
 */
export const withJsonFields = (program: Command, argv: readonly string[]): string[] => {
  const end = argv.indexOf('--')
  const at = argv.indexOf('--json')
  if (at < 0 || (end >= 0 && end < at)) return [...argv]
  const next = argv[at + 1] ?? ''
  const before = argv.slice(0, at)
  const after = argv.slice(at + 2)
  return isListOfFields(next) || (isName(next) && isExcess(program, [...before, next, ...after]))
    ? [...before, `--json=${next}`, ...after]
    : [...before, '--json=', ...argv.slice(at + 1)]
}

const isListOfFields = (word: string): boolean => /^\w+(?:, ?\w+)+$/.test(word)

const isName = (word: string): boolean => /^\w+$/.test(word)

/** Whether a command line has more arguments than its command. */
const isExcess = (program: Command, [, , ...words]: string[]): boolean => {
  const { command, positionals } = readWords(program, words)
  const expected = command.registeredArguments
  if (command.commands.length || expected.at(-1)?.variadic) return false
  return positionals.length > expected.length
}
