import { type Command, Option } from 'commander'
import type { ChatArgs } from '../commands/chat/chat.ts'
import type { ListSessionsArgs } from '../commands/sessions/list.ts'
import type { ShowSessionArgs } from '../commands/sessions/show.ts'
import type { TalkArgs } from '../commands/talk.ts'
import { depths } from '../depths.ts'
import { examples } from './examples.ts'
import type { Run } from './run.ts'
import { positive, scopes, several } from './values.ts'

export const conversationCommands = (program: Command, run: Run): void => {
  program
    .command('chat [message...]')
    .description('Say something and get an answer; without a message, talk at the terminal')
    .option('--session <id>', 'go on with this session, or with the last one: last')
    .option('--file <path>', 'send a file along; may be given several times', several)
    .option('--provider <name>', 'who is to answer: openrouter, openai, ollama or local')
    .addOption(new Option('--depth <depth>', 'how much is recalled for it').choices(depths))
    .addHelpText(
      'after',
      examples(
        'svc chat "When is the boiler serviced?"',
        'cat notes.md | svc chat "Sum this up:"',
        'svc chat --session last "And who told me so?"',
      ),
    )
    .action((words: string[], options: Omit<ChatArgs, 'words'>) =>
      run(async (context) =>
        (await import('../commands/chat/chat.ts')).chat(context, { words, ...options }),
      ),
    )

  program
    .command('talk [message...]')
    .description('Say something as an agent, and get an answer; both are remembered')
    .option('--agent <slug>', 'who speaks; default if left out')
    .option('--task <text>', 'what the agent is working on')
    .addOption(new Option('--scope <scope>', 'whose memories are recalled').choices(scopes))
    .addHelpText('after', examples('svc talk --agent reviewer "The build is green."'))
    .action((words: string[], options: Omit<TalkArgs, 'words'>) =>
      run(async (context) =>
        (await import('../commands/talk.ts')).talk(context, { words, ...options }),
      ),
    )

  const sessions = program.command('sessions').description('List and show conversations')

  sessions
    .command('list')
    .description('List conversations, pinned ones first, then by when they last changed')
    .option('--limit <number>', 'how many, 1-100; 30 if left out', positive)
    .option('--search <words>', 'only with these words in the title or in a message')
    .option('--archived', 'only those that were archived')
    .option('--before <id>', 'where a list before this one stopped')
    .addHelpText('after', examples('svc sessions list --search boiler'))
    .action((options: ListSessionsArgs) =>
      run(async (context) => (await import('../commands/sessions/list.ts')).list(context, options)),
    )

  sessions
    .command('show <id>')
    .description('Print the last messages of a conversation, or with last of the last one')
    .option('--limit <number>', 'how many, 1-100; 50 if left out', positive)
    .option('--before <id>', 'those before this message')
    .addHelpText('after', examples('svc sessions show last'))
    .action((id: string, options: Omit<ShowSessionArgs, 'id'>) =>
      run(async (context) =>
        (await import('../commands/sessions/show.ts')).show(context, { id, ...options }),
      ),
    )
}
