import { type Argument, type Command, Help } from 'commander'

/** The options of `svc` itself that a command has. Commands that are not here have all of them. */
const limitedOptions = new WeakMap<Command, readonly string[]>()

/** The options of `svc` that a command without a client has. */
export const OUTPUT_OPTIONS = ['--json', '--jq', '--template', '--quiet', '--no-color', '--debug']

/** Declares that a command ignores the options of `svc`, except for some. */
export const withGlobalOptions = (command: Command, ...names: string[]): void => {
  limitedOptions.set(command, names)
}

const globalOptions = (program: Command, command: Command) => {
  const names = limitedOptions.get(command)
  return program.options.filter(
    ({ long }) => long && long !== '--version' && (names?.includes(long) ?? true),
  )
}

/** Options that change only what a command shows, so that an alias of `svc` may have them. */
const DISPLAY_OPTIONS = ['--quiet', '--no-color', '--no-pager', '--debug']

/** A typed option of `svc` that the command ignores, although it chooses what the command does or returns. */
export const ignoredOption = (program: Command, command: Command): string | undefined => {
  const known = globalOptions(program, command)
  const typed = program.options.find(
    (option) =>
      !known.includes(option) &&
      !DISPLAY_OPTIONS.includes(option.long ?? '') &&
      program.getOptionValueSource(option.attributeName()) === 'cli',
  )
  return typed?.long
}

/** Commands come first: the options of `svc` itself are one line at the end. */
export const configureHelp = (program: Command): void => {
  program
    .configureHelp({
      formatHelp(command, helper) {
        const folded = Object.create(helper, {
          visibleOptions: {
            value: (shown: Command) =>
              shown === program
                ? []
                : helper.visibleOptions(shown).filter(({ long }) => long !== '--help'),
          },
        }) as Help
        return Help.prototype.formatHelp.call(folded, command, folded)
      },
      subcommandTerm: (command) =>
        [command.name(), ...command.registeredArguments.map(argumentTerm)].join(' '),
    })
    .addHelpText('afterAll', ({ command }) => foldedOptions(program, command))
}

const argumentTerm = (argument: Argument) => {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`
  return argument.required ? `<${name}>` : `[${name}]`
}

export const HELP_WIDTH = 80
const INDENT = '  '

/** The names of the global options, in lines of the width of the help. */
const foldedOptions = (program: Command, command: Command): string => {
  const names = globalOptions(program, command).map(({ long }) => long)
  const words = [...names, '--help', ...(command === program ? ['--version'] : [])].join(' ')
  const lines = program
    .createHelp()
    .boxWrap(words, HELP_WIDTH - INDENT.length)
    .split('\n')
  const describe = names.length ? '\nTo describe them, run: svc help options' : ''
  return `\nGlobal options:\n${lines.map((line) => INDENT + line).join('\n')}${describe}`
}

/** The text of `svc help options`. */
export const describeGlobalOptions = (program: Command): string => {
  const helper = program.createHelp()
  const terms = program.options.map((option) => [
    helper.optionTerm(option),
    helper.optionDescription(option),
  ])
  helper.prepareContext({ helpWidth: HELP_WIDTH })
  const width = Math.max(...terms.map(([term = '']) => term.length))
  return [
    'These options can be anywhere in a command line:\n',
    ...terms.map(([term = '', text = '']) => helper.formatItem(term, width, text, helper)),
  ].join('\n')
}
