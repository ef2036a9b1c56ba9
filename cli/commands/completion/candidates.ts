import type { Argument, Command, Option } from 'commander'
import type { GlobalOptions } from '../../context.ts'
import { commandPath } from '../../option-names.ts'

export interface Candidate {
  word: string
  about: string
}

/** Possible next words, and whether a file name is possible. */
interface Candidates {
  words: Candidate[]
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
type DynamicValues = (request: ValueRequest) => Promise<Candidate[]>

/** Options and arguments with these names take a file. */
const FILES = ['file', 'path', 'input']

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
  const { command, positionals, open, ended, options } = parseTypedWords(
    program,
    typed.slice(0, -1),
  )
  const values = (name: string) =>
    dynamic({ name, command: commandPath(command), positionals, options, typed: last })
  const found = open
    ? await valueCandidates(open, open.attributeName(), values)
    : last.startsWith('-') && !ended
      ? { words: optionCandidates(program, command), files: false }
      : await nextCandidates(command, positionals.length, values)
  return { ...found, words: found.words.filter(({ word }) => word.startsWith(last)) }
}

const parseTypedWords = (program: Command, words: readonly string[]) => {
  let command = program
  let open: Option | undefined
  let ended = false
  const positionals: string[] = []
  const options: Record<string, string> = {}
  // Bash splits `--type=x` at the equals sign.
  for (const word of words.filter((each) => each !== '=')) {
    if (open) {
      if (program.options.includes(open)) options[open.attributeName()] = word
      open = undefined
    } else if (word === '--') ended = true
    else if (word.startsWith('-') && !ended) open = optionAwaitingValue(program, command, word)
    else {
      const child =
        positionals.length === 0 && command.commands.find((each) => each.name() === word)
      if (child && !isHelp(program, child)) command = child
      else if (!child) positionals.push(word)
    }
  }
  return { command, positionals, open, ended, options: options as ValueRequest['options'] }
}

/** The arguments of `help` are commands. */
const isHelp = (program: Command, command: Command) =>
  command.parent === program && command.name() === 'help'

/** The option whose value follows this word. */
const optionAwaitingValue = (
  program: Command,
  command: Command,
  word: string,
): Option | undefined => {
  const option = [...command.options, ...program.options].find(({ long, short }) =>
    [long, short].includes(word),
  )
  return option?.required ? option : undefined
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

type ValuesOf = (name: string) => Promise<Candidate[]>

const valueCandidates = async (
  parameter: Option | Argument,
  name: string,
  values: ValuesOf,
): Promise<Candidates> => {
  const words = parameter.argChoices?.map((word) => ({ word, about: parameter.description }))
  return { words: words ?? (await values(name)), files: FILES.includes(name) }
}
