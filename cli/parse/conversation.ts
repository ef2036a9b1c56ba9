import { type Command, Option } from 'commander'
import type { ChatArgs } from '../commands/chat/chat.ts'
import type { ListSessionsArgs } from '../commands/sessions/list.ts'
import type { ShowSessionArgs } from '../commands/sessions/show.ts'
import type { TalkArgs } from '../commands/talk.ts'
import { depths } from '../depths.ts'
import { providers } from '../providers.ts'
import { examples } from './examples.ts'
import { lazyCommands } from './lazy.ts'
import type { RunWithContext } from './run.ts'
import { collectValues, parsePositiveInteger, scopeModes } from './values.ts'

export const conversationCommands = (program: Command, run: RunWithContext): void => {
  program
    .command('chat [message...]')
    .description(
      'Send a message and print the answer; without a message, start an interactive chat',
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
    .action((words: string[], options: Omit<ChatArgs, 'words'>) =>
      run(async (context) =>
        (await import('../commands/chat/chat.ts')).runChat(context, { words, ...options }),
      ),
    )

  program
    .command('talk [message...]')
    .description('Send a message as an agent and print the answer; both are remembered')
    .option('--agent <slug>', 'agent that sends the message (default "default")')
    .option('--task <text>', 'current task of the agent')
    .addOption(new Option('--scope <scope>', 'memories to recall').choices(scopeModes))
    .addHelpText('after', examples('svc talk --agent reviewer "The build is green."'))
    .action((words: string[], options: Omit<TalkArgs, 'words'>) =>
      run(async (context) =>
        (await import('../commands/talk.ts')).runTalk(context, { words, ...options }),
      ),
    )

  const sessions = program.command('sessions').description('Manage chat sessions')

  sessions
    .command('list')
    .description('List chat sessions, pinned ones first, then the most recently changed')
    .option('--limit <number>', 'maximum number, 1-100 (default 30)', parsePositiveInteger)
    .option('--search <words>', 'only with these words in the title or a message')
    .option('--archived', 'only archived sessions')
    .option('--before <id>', 'continue after this session')
    .addHelpText('after', examples('svc sessions list --search boiler'))
    .action((options: ListSessionsArgs) =>
      run(async (context) =>
        (await import('../commands/sessions/list.ts')).runSessionsList(context, options),
      ),
    )

  sessions
    .command('show <id>')
    .description('Print the last messages of a chat session, by ID or "last"')
    .option('--limit <number>', 'maximum number, 1-100 (default 50)', parsePositiveInteger)
    .option('--before <id>', 'only messages before this one')
    .addHelpText('after', examples('svc sessions show last'))
    .action((id: string, options: Omit<ShowSessionArgs, 'id'>) =>
      run(async (context) =>
        (await import('../commands/sessions/show.ts')).runSessionsShow(context, { id, ...options }),
      ),
    )

  const define = lazyCommands(sessions, run, () => import('../commands/sessions/change.ts'))
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
