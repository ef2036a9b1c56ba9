import type { Argument, Command, Option } from 'commander'

/** What could be typed next, and whether a file's name could. */
export interface Candidates {
  words: { word: string; about: string }[]
  files: boolean
}

/** Values that only this machine knows, by the name of the option or argument. */
export type Dynamic = (name: string) => string[]

/** Options and arguments with these names are files. */
const FILES = ['file', 'path']

/**
 * What could come next at a command line.
 * @param typed the words after `svc`; the last is the one that is being typed.
 */
export const candidatesFor = (
  program: Command,
  typed: readonly string[],
  dynamic: Dynamic = () => [],
): Candidates => {
  const last = typed.at(-1) ?? ''
  const { command, positionals, open, ended } = walk(program, typed.slice(0, -1))
  const found = open
    ? valuesOf(open, open.attributeName(), dynamic)
    : last.startsWith('-') && !ended
      ? { words: optionsOf(program, command), files: false }
      : nextOf(command, positionals, dynamic)
  return { ...found, words: found.words.filter(({ word }) => word.startsWith(last)) }
}

const walk = (program: Command, words: readonly string[]) => {
  let command = program
  let positionals = 0
  let open: Option | undefined
  let ended = false
  // Bash parts `--type=x` at the sign.
  for (const word of words.filter((each) => each !== '=')) {
    if (open) open = undefined
    else if (word === '--') ended = true
    else if (word.startsWith('-') && !ended) open = openedBy(program, command, word)
    else {
      const child = positionals === 0 && command.commands.find((each) => each.name() === word)
      if (child && !isHelp(program, child)) command = child
      else if (!child) positionals++
    }
  }
  return { command, positionals, open, ended }
}

/** What follows it are commands. */
const isHelp = (program: Command, command: Command) =>
  command.parent === program && command.name() === 'help'

/** The option that waits for its value after this word. */
const openedBy = (program: Command, command: Command, word: string): Option | undefined => {
  const option = [...command.options, ...program.options].find(({ long, short }) =>
    [long, short].includes(word),
  )
  return option?.required ? option : undefined
}

const optionsOf = (program: Command, command: Command) =>
  [...new Set([...command.options, ...program.options])]
    .filter(({ long, hidden }) => long && !hidden)
    .map(({ long, description }) => ({ word: long ?? '', about: description }))
    .concat({ word: '--help', about: 'say what it takes' })

const nextOf = (command: Command, positionals: number, dynamic: Dynamic): Candidates => {
  const commands = command.createHelp().visibleCommands(command)
  if (command.commands.length && positionals === 0)
    return {
      words: commands.map((each) => ({ word: each.name(), about: each.description() })),
      files: false,
    }
  const argument = command.registeredArguments.at(positionals) ?? lastOf(command)
  return argument ? valuesOf(argument, argument.name(), dynamic) : { words: [], files: false }
}

const lastOf = (command: Command): Argument | undefined => {
  const last = command.registeredArguments.at(-1)
  return last?.variadic ? last : undefined
}

const valuesOf = (taking: Option | Argument, name: string, dynamic: Dynamic): Candidates => {
  const values = taking.argChoices ?? dynamic(name)
  return {
    words: values.map((word) => ({ word, about: taking.description })),
    files: FILES.includes(name),
  }
}
