import type { Command } from 'commander'
import type { RecallArgs } from '../commands/recall.ts'
import type { RememberArgs } from '../commands/remember.ts'
import type { Run } from './run.ts'
import { number, several, typeOption, wholeNumber } from './values.ts'

export const memoryCommands = (program: Command, run: Run): void => {
  program
    .command('remember [text...]')
    .description('Remember a text, or what is piped in')
    .addOption(typeOption('what kind of memory'))
    .option('--tag <tag>', 'a tag; may be given several times', several)
    .option('--thread <thread>', 'the conversation or document it is part of')
    .option('--author <name>', 'who said or wrote it')
    .option('--importance <number>', 'from 0 to 1', number)
    .option('--occurred-at <time>', 'when it happened, if not now (ISO 8601)')
    .action((text: string[], options: Omit<RememberArgs, 'text'>) =>
      run(async (context) =>
        (await import('../commands/remember.ts')).remember(context, { text, ...options }),
      ),
    )

  program
    .command('recall <question...>')
    .description('Find the memories that answer a question')
    .option('--limit <number>', 'how many, 1-100', wholeNumber)
    .addOption(typeOption('only this kind of memory'))
    .option('--tag <tag>', 'only with this tag; may be given several times', several)
    .option('--thread <thread>', 'only of this thread')
    .option('--author <name>', 'only by this author')
    .option('--since <time>', 'only what happened at or after this (ISO 8601)')
    .option('--until <time>', 'only what happened before this (ISO 8601)')
    .option('--explain', 'say how each score came about')
    .action((question: string[], options: Omit<RecallArgs, 'question'>) =>
      run(async (context) =>
        (await import('../commands/recall.ts')).recall(context, { question, ...options }),
      ),
    )
}
