import type { Argument, Command, Option } from 'commander'
import type { GlobalOptions } from '../../context.ts'
import { commandPath, readWords } from '../../parse/words.ts'

export interface ShellCompletion {
  word: string
  about: string
}

/** Possible next words, and whether a file name is possible. */
interface Candidates {
  words: ShellCompletion[]
  files: boolean
}

/** An incomplete value that is not one of a fixed list. */
export interface ValueRequest {
  /** The name of the option or argument. */
  name: string
  /** The names of the command and of its parents, such as `['memories', 'show']`. */
  command: string[]
  /** The arguments before it. */
  positionals: string[]
  /** The global options that choose the server and the account. */
  options: Pick<GlobalOptions, 'url' | 'profile' | 'org'>
  /** The incomplete value. */
  typed: string
}

/** Values from local files, the contract and the server. */
type DynamicValues = (request: ValueRequest) => Promise<ShellCompletion[]>

/** Options and arguments with these names take a file. */
const FILES = ['file', 'folder', 'path', 'input']

/**
 * The candidates for the last word of a command line.
 * @param typed the words after `svc`, including the incomplete last one.
 */
export const candidatesFor = async (
  program: Command,
  typed: readonly string[],
  dynamic: DynamicValues,
): Promise<Candidates> => {
  const last = typed.at(-1) ?? ''
  const { command, positionals, open, ended, options } = readWords(program, typed.slice(0, -1))
  const values = (name: string) =>
    dynamic({ name, command: commandPath(command), positionals, options, typed: last })
  const found = open
    ? await valueCandidates(open, open.attributeName(), values)
    : last.startsWith('-') && !ended
      ? { words: optionCandidates(program, command), files: false }
      : await nextCandidates(command, positionals.length, values)
  return { ...found, words: found.words.filter(({ word }) => word.startsWith(last)) }
}

const optionCandidates = (program: Command, command: Command) =>
  [...new Set([...command.options, ...program.options])]
    .filter(({ long, hidden }) => long && !hidden)
    .map(({ long, description }) => ({ word: long ?? '', about: description }))
    .concat({ word: '--help', about: 'show help' })

const nextCandidates = async (
  command: Command,
  positionals: number,
  values: ValuesOf,
): Promise<Candidates> => {
  const commands = command.createHelp().visibleCommands(command)
  if (command.commands.length && positionals === 0)
    return {
      words: commands.map((each) => ({ word: each.name(), about: each.description() })),
      files: false,
    }
  const argument = command.registeredArguments.at(positionals) ?? variadicArgument(command)
  return argument ? valueCandidates(argument, argument.name(), values) : { words: [], files: false }
}

const variadicArgument = (command: Command): Argument | undefined => {
  const last = command.registeredArguments.at(-1)
  return last?.variadic ? last : undefined
}

type ValuesOf = (name: string) => Promise<ShellCompletion[]>

const valueCandidates = async (
  parameter: Option | Argument,
  name: string,
  values: ValuesOf,
): Promise<Candidates> => {
  const words = parameter.argChoices?.map((word) => ({ word, about: parameter.description }))
  return { words: words ?? (await values(name)), files: FILES.includes(name) }
}
