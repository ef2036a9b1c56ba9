import type { Command } from 'commander'

/** Fields whose option has another name. */
const RENAMED: Readonly<Record<string, string>> = { q: 'search' }

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
