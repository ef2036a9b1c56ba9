import type { Command } from 'commander'
import type { RecallArgs } from '../commands/recall.ts'
import type { RememberArgs } from '../commands/remember.ts'
import { examples } from './examples.ts'
import type { Run } from './run.ts'
import { number, positive, several, typeOption } from './values.ts'

export const rememberCommands = (program: Command, run: Run): void => {
  program
    .command('remember [text...]')
    .description('Remember a text, a file, or what is piped in')
    .option('--file <path>', 'the text is in this file')
    .addOption(typeOption('what kind of memory'))
    .option('--tag <tag>', 'a tag; may be given several times', several)
    .option('--thread <thread>', 'the conversation or document it is part of')
    .option('--author <name>', 'who said or wrote it')
    .option('--importance <number>', 'from 0 to 1; 0.5 if left out', number)
    .option('--occurred-at <time>', 'when it happened, if not now (ISO 8601)')
    .addHelpText(
      'after',
      examples(
        'svc remember "The boiler is serviced in May."',
        'svc remember --file notes.md --tag notes',
        'git log -1 --format=%B | svc remember --thread releases',
      ),
    )
    .action((text: string[], options: Omit<RememberArgs, 'text'>) =>
      run(async (context) =>
        (await import('../commands/remember.ts')).remember(context, { text, ...options }),
      ),
    )

  program
    .command('recall <question...>')
    .description('Find the memories that answer a question')
    .option('--limit <number>', 'how many, 1-100; 10 if left out', positive)
    .addOption(typeOption('only this kind of memory'))
    .option('--tag <tag>', 'only with this tag; may be given several times', several)
    .option('--thread <thread>', 'only of this thread')
    .option('--author <name>', 'only by this author')
    .option('--since <time>', 'only what happened at or after this (ISO 8601)')
    .option('--until <time>', 'only what happened before this (ISO 8601)')
    .option('--explain', 'say how each score came about')
    .addHelpText(
      'after',
      examples(
        'svc recall "When is the boiler serviced?"',
        'svc recall boiler --author Ada --since 2026-01-01 --explain',
        'svc recall boiler --json | jq -r ".memories[].content_text"',
      ),
    )
    .action((question: string[], options: Omit<RecallArgs, 'question'>) =>
      run(async (context) =>
        (await import('../commands/recall.ts')).recall(context, { question, ...options }),
      ),
    )
}
