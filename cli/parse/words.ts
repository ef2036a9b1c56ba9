import type { Command, Option } from 'commander'
import type { GlobalOptions } from '../context.ts'
import { isNamed } from './synonyms.ts'

/** Reads the words after `svc` of an incomplete command line: `open` is the option whose value is next. */
export const readWords = (program: Command, words: readonly string[]) => {
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
      const child = positionals.length === 0 && command.commands.find((each) => isNamed(each, word))
      if (child && !isHelp(program, child)) command = child
      else if (!child) positionals.push(word)
    }
  }
  return {
    command,
    positionals,
    open,
    ended,
    options: options as Pick<GlobalOptions, 'url' | 'profile' | 'org'>,
  }
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
