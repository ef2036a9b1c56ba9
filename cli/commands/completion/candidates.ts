import type { Argument, Command, Option } from 'commander'

/** Possible next words, and whether a file name is possible. */
interface Candidates {
  words: { word: string; about: string }[]
  files: boolean
}

/** Values from local files, by the name of the option or argument. */
type DynamicValues = (name: string) => string[]

/** Options and arguments with these names take a file. */
const FILES = ['file', 'path']

/**
 * The candidates for the last word of a command line.
 * @param typed the words after `svc`, including the incomplete last one.
 */
export const candidatesFor = (
  program: Command,
  typed: readonly string[],
  dynamic: DynamicValues = () => [],
): Candidates => {
  const last = typed.at(-1) ?? ''
  const { command, positionals, open, ended } = parseTypedWords(program, typed.slice(0, -1))
  const found = open
    ? valueCandidates(open, open.attributeName(), dynamic)
    : last.startsWith('-') && !ended
      ? { words: optionCandidates(program, command), files: false }
      : nextCandidates(command, positionals, dynamic)
  return { ...found, words: found.words.filter(({ word }) => word.startsWith(last)) }
}

const parseTypedWords = (program: Command, words: readonly string[]) => {
  let command = program
  let positionals = 0
  let open: Option | undefined
  let ended = false
  // Bash splits `--type=x` at the equals sign.
  for (const word of words.filter((each) => each !== '=')) {
    if (open) open = undefined
    else if (word === '--') ended = true
    else if (word.startsWith('-') && !ended) open = optionAwaitingValue(program, command, word)
    else {
      const child = positionals === 0 && command.commands.find((each) => each.name() === word)
      if (child && !isHelp(program, child)) command = child
      else if (!child) positionals++
    }
  }
  return { command, positionals, open, ended }
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

const nextCandidates = (
  command: Command,
  positionals: number,
  dynamic: DynamicValues,
): Candidates => {
  const commands = command.createHelp().visibleCommands(command)
  if (command.commands.length && positionals === 0)
    return {
      words: commands.map((each) => ({ word: each.name(), about: each.description() })),
      files: false,
    }
  const argument = command.registeredArguments.at(positionals) ?? variadicArgument(command)
  return argument
    ? valueCandidates(argument, argument.name(), dynamic)
    : { words: [], files: false }
}

const variadicArgument = (command: Command): Argument | undefined => {
  const last = command.registeredArguments.at(-1)
  return last?.variadic ? last : undefined
}

const valueCandidates = (
  parameter: Option | Argument,
  name: string,
  dynamic: DynamicValues,
): Candidates => {
  const values = parameter.argChoices ?? dynamic(name)
  return {
    words: values.map((word) => ({ word, about: parameter.description })),
    files: FILES.includes(name),
  }
}
