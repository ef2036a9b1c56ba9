import { type Command, Option } from 'commander'
import { defineCommands, type RunWithContext } from './define.ts'
import { examples } from './examples.ts'
import {
  collectValues,
  parseNumber,
  parsePositiveInteger,
  trustLevels,
  typeOption,
} from './values.ts'

export const rememberCommands = (program: Command, run: RunWithContext): void => {
  defineCommands(program, run, () => import('../commands/remember.ts'))(
    'remember [text...]',
    'Store a memory from text, a file or stdin',
    (module) => module.runRemember,
  )
    .alias('add')
    .option('--file <path>', 'read the text from a file')
    .addOption(typeOption('type of memory'))
    .option('--tag <tag>', 'tag; can be repeated', collectValues)
    .option('--thread <thread>', 'conversation or document it belongs to')
    .option('--project <project>', 'project that it is about')
    .option('--author <name>', 'person who said or wrote it')
    .option('--importance <number>', 'importance from 0 to 1 (default 0.5)', parseNumber)
    .option('--occurred-at <time>', 'when it happened (ISO 8601; default now)')
    .addHelpText(
      'after',
      examples(
        'svc remember "The boiler is serviced in May."',
        'svc remember --file notes.md --tag notes',
        'git log -1 --format=%B | svc remember --thread releases',
      ),
    )

  defineCommands(program, run, () => import('../commands/recall.ts'))(
    'recall <question...>',
    'Find the memories that answer a question',
    (module) => module.runRecall,
  )
    .alias('search')
    .option(
      '--limit <number>',
      'maximum number, 1-100 (default 10; with --max-tokens 100)',
      parsePositiveInteger,
    )
    .addOption(
      new Option('--format <format>', 'print one compact text for a model').choices(['text']),
    )
    .option('--max-tokens <number>', 'budget of the results in tokens', parsePositiveInteger)
    .addOption(typeOption('only memories of this type'))
    .option('--tag <tag>', 'only memories with this tag; can be repeated', collectValues)
    .option('--thread <thread>', 'only memories of this thread')
    .option('--project <project>', 'only memories of this project')
    .option('--author <name>', 'only memories by this author')
    .option('--since <time>', 'only events at or after this time (ISO 8601)')
    .option('--until <time>', 'only events before this time (ISO 8601)')
    .addOption(
      new Option('--min-trust <level>', 'only memories trusted at least so much').choices(
        trustLevels,
      ),
    )
    .option('--explain', 'show the parts of each score')
    .addHelpText(
      'after',
      examples(
        'svc recall "When is the boiler serviced?"',
        'svc recall boiler --author Ada --since 2026-01-01 --explain',
        'svc recall boiler --format text --max-tokens 500',
        'svc recall boiler --jq ".memories[].content_text"',
      ),
    )
}
