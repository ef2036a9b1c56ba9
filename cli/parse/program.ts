import { Command } from 'commander'
import manifest from '../../package.json' with { type: 'json' }
import { usageError } from '../errors.ts'
import { nearest } from '../nearest.ts'
import { type Io, oneLine } from '../output.ts'
import { accountCommands } from './account.ts'
import { conversationCommands } from './conversation.ts'
import { keyCommands } from './keys.ts'
import { mcpCommands } from './mcp.ts'
import { memoryCommands } from './memories.ts'
import { rememberCommands } from './memory.ts'
import type { Run, RunBare } from './run.ts'
import { setupCommands } from './setup.ts'
import { transferCommands } from './transfer.ts'

/** Takes what is asked for, such as help, and what is wrong with what was typed. */
export type Say = Pick<Io, 'print' | 'say'>

/** All that can be typed. It throws where commander would end the process. */
export const createProgram = ({ print, say }: Say, run: Run, bare: RunBare): Command => {
  const program = new Command('svc')
    .description('An account, a memory and a conversation for people and AI agents.')
    .version(manifest.version, '--version', 'print the version')
    .option('--url <url>', 'the server (SVC_URL; http://localhost:3000)')
    .option('--profile <name>', 'the stored sign-in to use (SVC_PROFILE; default)')
    .option('--org <organization>', 'the organization to act in, by id or name')
    .option('--json', 'print JSON: one value, or one a line for a stream')
    .option('--quiet', 'say only what went wrong')
    .option('--no-color', 'no colour and no movement (NO_COLOR)')
    .option('--debug', 'show requests and stack traces on stderr')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => print(text.trimEnd()),
      // The message and the suggestion share a line, and the next command has the other.
      outputError: (text) => say(withNearest(text.trimEnd().replace(/\n(?=\()/, ' '))),
    })
    .addHelpText('after', END)
    .exitOverride()
  program.commandsGroup('Account:')
  accountCommands(program, run)
  keyCommands(program, run)
  program.commandsGroup('Conversation:')
  conversationCommands(program, run)
  program.commandsGroup('Memory:')
  rememberCommands(program, run)
  memoryCommands(program, run)
  transferCommands(program, run)
  program.commandsGroup('Setting up:')
  mcpCommands(program, run, bare)
  setupCommands(program, run, bare)
  program.commandsGroup('Commands:')
  helpCommand(program, bare)
  nameHelp(program, 'svc')
  return program
}

const END = `
Variables   SVC_URL, SVC_PROFILE, SVC_API_KEY, SVC_CONFIG_DIR, NO_COLOR
Exit codes  0 done, 1 failed, 2 not understood, 4 not signed in, 130 interrupted

Begin with svc login. What a command takes: svc help keys create
When something is wrong: svc doctor`

/** Commander's own knows the first word only. */
const helpCommand = (program: Command, bare: RunBare): void => {
  program
    .command('help [command...]')
    .description('Say what a command takes')
    .action((words: string[]) => bare(async () => words.reduce(childOf, program).outputHelp()))
}

const childOf = (command: Command, word: string): Command => {
  const child = command.commands.find((each) => each.name() === word)
  if (child) return child
  const near = nearest(
    word,
    command.commands.map((each) => each.name()),
  )
  throw usageError(
    `There is no command ${oneLine(word)}.${near ? ` Did you mean ${near}?` : ''}`,
    'Run: svc help',
  )
}

/**
 * Commander names the choices there are, but not the one that was probably meant; and takes a text
 * that begins with a dash for an option.
 */
const withNearest = (text: string): string =>
  text
    .replace(
      /(?:argument |value )'(.*)' is invalid.*Allowed choices are (.*)\./,
      (said, typed: string, choices: string) => {
        const near = nearest(typed, choices.split(', '))
        return near ? `${said} (Did you mean ${near}?)` : said
      },
    )
    .replace(/unknown option '-.*\s.*'/, '$& (Put -- before a text that begins with a dash.)')

/** Has every usage error name the help of its command. */
const nameHelp = (command: Command, path: string): void => {
  command.showHelpAfterError(`Run: ${path} --help`)
  for (const child of command.commands) nameHelp(child, `${path} ${child.name()}`)
}
