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

/** Fields whose option has another name. */
const RENAMED: Readonly<Record<string, string>> = {
  q: 'search',
  redirect_uris: 'redirect-uri',
  post_logout_redirect_uris: 'logout-redirect-uri',
}

/**
 * The option or argument of a command that sets a field of the request: `memory_type` is `--type`,
 * `tags` is `--tag`. A field without an option is the text or id of the first argument.
 */
export const optionOf = (field: string, command: Command): string => {
  const words = (RENAMED[field] ?? field).split('_')
  const options = command.options.flatMap(({ long }) => (long ? [long.slice(2)] : []))
  const option =
    options.find((name) => name === words.join('-')) ??
    options.find((name) => words.some((word) => word === name || word === `${name}s`))
  if (option) return `--${option}`
  return command.registeredArguments[0]?.name() ?? field
}

/** The names of a command and of its parents without `svc`, such as `['memories', 'show']`. */
export const commandPath = (command: Command): string[] =>
  command.parent ? [...commandPath(command.parent), command.name()] : []
