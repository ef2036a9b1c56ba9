import { type Command, Option } from 'commander'
import { depths } from '../depths.ts'
import { providers } from '../providers.ts'
import { examples } from './examples.ts'
import { lazyCommands } from './lazy.ts'
import type { RunWithContext } from './run.ts'
import { collectValues, parsePositiveInteger, scopeModes } from './values.ts'

export const conversationCommands = (program: Command, run: RunWithContext): void => {
  lazyCommands(program, run, () => import('../commands/chat/chat.ts'))(
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

  lazyCommands(program, run, () => import('../commands/talk.ts'))(
    'talk [message...]',
    'Send a message as an agent and print the answer; both are remembered',
    (module) => module.runTalk,
  )
    .option('--agent <slug>', 'agent that sends the message (default "default")')
    .option('--task <text>', 'current task of the agent')
    .addOption(new Option('--scope <scope>', 'memories to recall').choices(scopeModes))
    .addHelpText('after', examples('svc talk --agent reviewer "The build is green."'))

  const sessions = program.command('sessions').description('Manage chat sessions')

  lazyCommands(sessions, run, () => import('../commands/sessions/list.ts'))(
    'list',
    'List chat sessions, pinned ones first, then the most recently changed',
    (module) => module.runSessionsList,
  )
    .option('--limit <number>', 'maximum number, 1-100 (default 30)', parsePositiveInteger)
    .option('--search <words>', 'only with these words in the title or a message')
    .option('--archived', 'only archived sessions')
    .option('--before <id>', 'continue after this session')
    .addHelpText('after', examples('svc sessions list --search boiler'))

  lazyCommands(sessions, run, () => import('../commands/sessions/show.ts'))(
    'show <id>',
    'Print the last messages of a chat session, by ID or "last"',
    (module) => module.runSessionsShow,
  )
    .option('--limit <number>', 'maximum number, 1-100 (default 50)', parsePositiveInteger)
    .option('--before <id>', 'only messages before this one')
    .addHelpText('after', examples('svc sessions show last'))

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
