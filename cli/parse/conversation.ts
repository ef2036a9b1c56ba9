import { type Command, Option } from 'commander'
import { depths, providers } from '../chat-options.ts'
import { defineCommands, type RunWithContext } from './define.ts'
import { examples } from './examples.ts'
import { collectValues, parsePositiveInteger, scopeModes } from './values.ts'

export const conversationCommands = (program: Command, run: RunWithContext): void => {
  defineCommands(program, run, () => import('../commands/chat/chat.ts'))(
    'chat [message...]',
    'Send a message and print the answer; without a message, start an interactive chat',
    (module) => module.runChat,
  )
    .option('--session <id>', 'continue a session, by ID or "last"')
    .option('--file <path>', 'attach a file; can be repeated', collectValues)
    .option('--provider <name>', `provider: ${providers.join(', ')}`)
    .addOption(new Option('--depth <depth>', 'how much to recall').choices(depths))
    .addHelpText(
      'after',
      examples(
        'svc chat "When is the boiler serviced?"',
        'cat notes.md | svc chat "Sum this up:"',
        'svc chat --session last "And who told me that?"',
      ),
    )

  defineCommands(program, run, () => import('../commands/talk.ts'))(
    'talk [message...]',
    'Send a message as an agent and print the answer; both are remembered',
    (module) => module.runTalk,
  )
    .option('--agent <slug>', 'agent that sends the message (default "default")')
    .option('--task <text>', 'current task of the agent')
    .addOption(new Option('--scope <scope>', 'memories to recall').choices(scopeModes))
    .addHelpText('after', examples('svc talk --agent reviewer "The build is green."'))

  sessionCommands(program, run)
  categoryCommands(program, run)
  agentCommands(program, run)
  fileCommands(program, run)
}

const sessionCommands = (program: Command, run: RunWithContext): void => {
  const sessions = program.command('sessions').description('Manage chat sessions')

  defineCommands(sessions, run, () => import('../commands/sessions/list.ts'))(
    'list',
    'List chat sessions, pinned ones first, then the most recently changed',
    (module) => module.runSessionsList,
  )
    .option('--limit <number>', 'maximum number, 1-100 (default 30)', parsePositiveInteger)
    .option('--search <words>', 'only with these words in the title or a message')
    .option('--archived', 'only archived sessions')
    .option('--before <id>', 'continue after this session')
    .addHelpText('after', examples('svc sessions list --search boiler'))

  defineCommands(sessions, run, () => import('../commands/sessions/show.ts'))(
    'show <id>',
    'Print the last messages of a chat session, by ID or "last"',
    (module) => module.runSessionsShow,
  )
    .option('--limit <number>', 'maximum number, 1-100 (default 50)', parsePositiveInteger)
    .option('--before <id>', 'only messages before this one')
    .addHelpText('after', examples('svc sessions show last'))

  const define = defineCommands(sessions, run, () => import('../commands/sessions/change.ts'))
  define(
    'rename <id> <title...>',
    'Change the title of a chat session',
    (module) => module.runSessionsRename,
  ).addHelpText('after', examples('svc sessions rename last "The boiler"'))
  define('archive <id>', 'Archive a chat session', (module) => module.runSessionsArchive)
  define('unarchive <id>', 'Unarchive a chat session', (module) => module.runSessionsUnarchive)
  define(
    'delete <id>',
    'Delete a chat session and its messages permanently',
    (module) => module.runSessionsDelete,
  )
    .option('--yes', 'skip the confirmation')
    .addHelpText('after', examples('svc sessions delete last'))
}

const categoryCommands = (program: Command, run: RunWithContext): void => {
  const categories = program
    .command('categories')
    .description('Manage the categories of chat sessions')
  const define = defineCommands(categories, run, () => import('../commands/categories.ts'))

  define('list', 'List the categories', (module) => module.runCategoriesList)
  define('create <name>', 'Create a category and print its ID', (m) => m.runCategoriesCreate)
    .option('--color <color>', 'color, such as #6b7280')
    .option('--icon <icon>', 'name of an icon, or an emoji')
    .addHelpText('after', examples('svc categories create Travel --color "#0ea5e9" --icon plane'))
  define('edit <category>', 'Change a category, by ID or name', (m) => m.runCategoriesEdit)
    .option('--name <name>', 'new name')
    .option('--color <color>', 'new color')
    .option('--icon <icon>', 'new icon')
    .addHelpText('after', examples('svc categories edit Travel --name Trips'))
  define(
    'delete <category>',
    'Delete a category; its sessions are kept',
    (module) => module.runCategoriesDelete,
  )
    .option('--yes', 'skip the confirmation')
    .addHelpText('after', examples('svc categories delete Trips'))
}

const agentCommands = (program: Command, run: RunWithContext): void => {
  const agents = program.command('agents').description('Manage the agents that talk to svc')
  const define = defineCommands(agents, run, () => import('../commands/agents.ts'))

  define('list', 'List your agents, most recently active first', (module) => module.runAgentsList)
  define(
    'show <agent>',
    'Print the definition of an agent, and its open proposal',
    (module) => module.runAgentsShow,
  ).addHelpText('after', examples('svc agents show reviewer'))
  define(
    'edit <agent>',
    'Change an agent, or accept or decline its proposal',
    (m) => m.runAgentsEdit,
  )
    .option('--mandate <text>', 'purpose of the agent')
    .option('--definition <text>', 'description of the agent')
    .option('--type <text>', 'kind of agent')
    .option(
      '--boundary <text>',
      'what it must not do; replaces all; can be repeated',
      collectValues,
    )
    .option('--clear-boundaries', 'remove all boundaries')
    .option('--accept', 'accept the proposal')
    .addOption(new Option('--decline', 'decline the proposal').conflicts('accept'))
    .addHelpText(
      'after',
      examples(
        'svc agents edit reviewer --mandate "Review the builds."',
        'svc agents edit reviewer --accept',
      ),
    )
  define(
    'delete <agent>',
    'Delete an agent and its exchanges; its memories are kept',
    (module) => module.runAgentsDelete,
  )
    .option('--yes', 'skip the confirmation')
    .addHelpText('after', examples('svc agents delete reviewer'))
}

const fileCommands = (program: Command, run: RunWithContext): void => {
  const files = program.command('files').description('Manage the files of conversations')
  const define = defineCommands(files, run, () => import('../commands/files.ts'))

  define('list', 'List your files, newest first', (module) => module.runFilesList)
    .option('--limit <number>', 'maximum number, 1-100 (default 30)', parsePositiveInteger)
    .option('--before <id>', 'continue after this file')
  define(
    'upload <file>',
    'Upload a file and print its ID',
    (module) => module.runFilesUpload,
  ).addHelpText('after', examples('svc files upload notes.md'))
  define(
    'download <id> [path]',
    'Download a file, by ID or name; - writes to stdout',
    (module) => module.runFilesDownload,
  )
    .option('--force', 'replace an existing file')
    .addHelpText(
      'after',
      examples('svc files download notes.md', 'svc files download notes.md copy.md'),
    )
  define('delete <id>', 'Delete a file permanently, by ID or name', (m) => m.runFilesDelete)
    .option('--yes', 'skip the confirmation')
    .addHelpText('after', examples('svc files delete notes.md'))
}
