import { Command, Option } from 'commander'
import manifest from '../../package.json' with { type: 'json' }
import { usageError } from '../errors.ts'
import { features } from '../features.ts'
import { nearestWord } from '../nearest.ts'
import { type Io, oneLine } from '../output.ts'
import { accountCommands } from './account.ts'
import { adminCommands } from './admin.ts'
import { apiCommand } from './api.ts'
import { assistantCommands } from './assistants.ts'
import { activityCommand, captureCommands } from './captures.ts'
import { connectCommands } from './connect.ts'
import { conversationCommands } from './conversation.ts'
import { databaseCommands } from './database.ts'
import {
  defineCommands,
  type Invocation,
  type RunWithContext,
  type RunWithoutContext,
} from './define.ts'
import { configureHelp, describeGlobalOptions, HELP_WIDTH, ignoredOption } from './help.ts'
import { keyCommands } from './keys.ts'
import { mcpCommands } from './mcp.ts'
import { conflictCommands, memoryCommands } from './memories.ts'
import { modelCommands } from './models.ts'
import { organizationCommands } from './organizations.ts'
import { projectCommands } from './projects.ts'
import { rememberCommands } from './recall.ts'
import { serverCommands } from './server.ts'
import { setupCommands } from './setup.ts'
import { syncCommand } from './sync.ts'
import { addSynonyms, isNamed } from './synonyms.ts'
import { transferCommands } from './transfer.ts'

/** `print` receives help; `message` receives usage errors. */
interface ProgramOutput extends Pick<Io, 'print' | 'message'> {
  /** The width of the terminal for help; undefined for a pipe. Default: none. */
  columnsOf?: (stream: 'stdout' | 'stderr') => number | undefined
}

/** The command tree. It throws where commander would exit the process. */
export const createProgram = (
  { print, message, columnsOf }: ProgramOutput,
  run: RunWithContext,
  runWithoutContext: RunWithoutContext,
): Command => {
  const program = new Command('svc')
    .description('Accounts, memory and conversation for people and AI agents.')
    .version(manifest.version, '-V, --version', 'print the version')
    .option('--url <url>', 'server URL (SVC_URL; default http://localhost:3000)')
    .option('--profile <name>', 'stored sign-in to use (SVC_PROFILE; default "default")')
    .option('--org <organization>', 'organization to act in, by ID or name')
    .option('--json [fields]', 'print JSON, or only these fields of it: --json id,name')
    .addOption(
      new Option('--jq <expression>', 'print what jq selects of the JSON').conflicts('template'),
    )
    .option('--template <text>', 'print the JSON with a Handlebars template')
    .option('--quiet', 'print only errors and warnings to stderr')
    .option('--no-color', 'disable color and animation (NO_COLOR)')
    .option('--no-pager', 'print long lists without a pager (SVC_PAGER, PAGER)')
    .option('--debug', 'print requests and stack traces to stderr')
    .configureOutput({
      writeOut: (text) => print(text.trimEnd()),
      writeErr: (text) => message(text.trimEnd()),
      // In place of the streams of the process, which commander reads by default.
      getOutHelpWidth: () => columnsOf?.('stdout') ?? HELP_WIDTH,
      getErrHelpWidth: () => columnsOf?.('stderr') ?? HELP_WIDTH,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
      // Message and suggestion share a line; the hint is on the next one.
      outputError: (text) => message(withNearest(text.trimEnd().replace(/\n(?=\()/, ' '))),
    })
    .addHelpText('after', END)
    .exitOverride()
  configureHelp(program)
  addCommands(program, run, runWithoutContext)
  addSynonyms(program)
  refuseIgnoredOptions(program)
  pointToHelp(program, 'svc')
  return program
}

/** The groups of the help, in its order. */
const addCommands = (
  program: Command,
  run: RunWithContext,
  runWithoutContext: RunWithoutContext,
): void => {
  program.commandsGroup('Memory:')
  rememberCommands(program, run)
  memoryCommands(program, run)
  captureCommands(program, run)
  projectCommands(program, run)
  activityCommand(program, run)
  conflictCommands(program, run)
  transferCommands(program, run)
  syncCommand(program, run)
  program.commandsGroup('Conversation:')
  conversationCommands(program, run)
  for (const { commands } of features) commands?.(program, run)
  program.commandsGroup('Account:')
  accountCommands(program, run)
  keyCommands(program, run)
  organizationCommands(program, run)
  program.commandsGroup('Server:')
  serverCommands(program, run, runWithoutContext)
  adminCommands(program, run)
  databaseCommands(program, runWithoutContext)
  modelCommands(program, runWithoutContext)
  program.commandsGroup('Setup:')
  connectCommands(program, run)
  mcpCommands(program, run, runWithoutContext)
  assistantCommands(program, runWithoutContext)
  apiCommand(program, run)
  setupCommands(program, run, runWithoutContext)
  helpCommand(program, runWithoutContext)
  versionCommand(program, runWithoutContext)
}

/** An option that a command ignores is a mistake: `svc serve --url` would listen elsewhere. */
const refuseIgnoredOptions = (program: Command): void => {
  program.hook('preAction', (_, command) => {
    const option = ignoredOption(program, command)
    if (option) command.error(`error: unknown option '${option}'`)
  })
}

const END = `
Variables   SVC_URL, SVC_PROFILE, SVC_API_KEY, SVC_CONFIG_DIR, NO_COLOR
Synonyms    add: remember, search: recall, forget: delete, start: serve, ls: list
Exit codes  0 success, 1 failure, 2 usage, 4 not signed in, 130 interrupted

To start, run: svc login
For help on a command: svc help keys create
To find problems: svc doctor`

/** Commander's built-in help command supports only one word. */
const helpCommand = (program: Command, run: RunWithoutContext): void => {
  const print = async ({ io }: Invocation, { command: words }: { command: string[] }) => {
    if (words.length === 1 && words[0] === 'options') io.print(describeGlobalOptions(program))
    else words.reduce(childOf, program).outputHelp()
  }
  defineCommands(program, run, async () => print)(
    'help [command...]',
    'Show help for a command, or for options',
    (module) => module,
  )
}

const versionCommand = (program: Command, run: RunWithoutContext): void => {
  const print = async ({ io, options }: Invocation) => {
    if (options.json) io.printJson({ version: manifest.version })
    else io.print(manifest.version)
  }
  defineCommands(program, run, async () => print)(
    'version',
    'Print the version',
    (module) => module,
  )
}

const childOf = (command: Command, word: string): Command => {
  const child = command.commands.find((each) => isNamed(each, word))
  if (child) return child
  const near = nearestWord(
    word,
    command.commands.map((each) => each.name()),
  )
  throw usageError(
    `Unknown command: ${oneLine(word)}.${near ? ` Did you mean ${near}?` : ''}`,
    'Run: svc help',
  )
}

/** Adds a suggestion for an invalid choice, and a hint for a text that starts with a dash. */
const withNearest = (text: string): string =>
  text
    .replace(
      /(?:argument |value )'([^']*)' is invalid(?: for argument '[^']*')?\. Allowed choices are ([^.]+)\./,
      (text, typed: string, choices: string) => {
        const near = nearestWord(typed, choices.split(', '))
        return near ? `${text} (Did you mean ${near}?)` : text
      },
    )
    .replace(/unknown option '-\S*\s.*'/, '$& (Put -- before a text that starts with a dash.)')

/** Makes every usage error point to the help of its command. */
const pointToHelp = (command: Command, path: string): void => {
  command.showHelpAfterError(`Run: ${path} --help`)
  for (const child of command.commands) pointToHelp(child, `${path} ${child.name()}`)
}
