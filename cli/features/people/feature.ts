import type { Command } from 'commander'
import { type CliFeature, namesOf } from '../../feature.ts'
import { defineCommands, type RunWithContext } from '../../parse/define.ts'
import { examples } from '../../parse/examples.ts'
import { parsePositiveInteger } from '../../parse/values.ts'

const shareCommands = (program: Command, run: RunWithContext): void => {
  const share = program.command('share').description('Share conversations by link')
  const define = defineCommands(share, run, () => import('./share.ts'))

  define(
    'create <session>',
    'Share a chat session, by ID or "last", and print the link',
    (module) => module.runShareCreate,
  )
    .option('--until <message>', 'last message to share, by ID (default: all messages)')
    .addHelpText('after', examples('svc share create last'))
  define('list', 'List your shares, newest first', (module) => module.runShareList)
    .option('--limit <number>', 'maximum number, 1-100 (default 30)', parsePositiveInteger)
    .option('--before <token>', 'continue after this share')
  define('revoke <share>', 'Revoke a share, by token or link', (module) => module.runShareRevoke)
    .option('--yes', 'skip the confirmation')
    .addHelpText('after', examples('svc share revoke TOKEN', 'svc share revoke TOKEN --yes'))
}

const messageCommands = (program: Command, run: RunWithContext): void => {
  const messages = program.command('messages').description('Read and send direct messages')
  const define = defineCommands(messages, run, () => import('./messages.ts'))

  define('list', 'List your threads, most recent message first', (m) => m.runMessagesList)
    .option('--limit <number>', 'maximum number, 1-100 (default 30)', parsePositiveInteger)
    .option('--archived', 'also archived threads')
    .option('--before <id>', 'continue after this thread')
  define(
    'read <user>',
    'Print the last messages with a user and mark them as read',
    (module) => module.runMessagesRead,
  )
    .option('--limit <number>', 'maximum number, 1-100 (default 30)', parsePositiveInteger)
    .option('--before <id>', 'only messages before this one')
    .addHelpText('after', examples('svc messages read ada'))
  define(
    'send <user> [text...]',
    'Send a message to a user, from the arguments or stdin',
    (module) => module.runMessagesSend,
  ).addHelpText(
    'after',
    examples('svc messages send ada "Lunch at one?"', 'cat notes.md | svc messages send ada'),
  )
}

export const people: CliFeature = {
  name: 'people',
  commands(program, run) {
    shareCommands(program, run)
    messageCommands(program, run)
  },
  ids: {
    async '<share>'(context) {
      const { shares } = await import('./share.ts')
      return namesOf(context, () => shares)
    },
    async 'messages <user>'(context) {
      const { threads } = await import('./messages.ts')
      return namesOf(context, () => threads)
    },
  },
  status: {
    fields: ['unread_messages'],
    read: async (client) => (await import('./messages.ts')).readStatus(client),
  },
}
