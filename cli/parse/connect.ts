import { Argument, type Command, Option } from 'commander'
import type { ConnectPart } from '../commands/connect/changes.ts'
import { defineCommands, type RunWithContext } from './define.ts'
import { examples } from './examples.ts'
import { clientNames } from './values.ts'

const parts = ['mcp', 'hooks'] satisfies ConnectPart[]

export const connectCommands = (program: Command, run: RunWithContext): void => {
  const connect = defineCommands(program, run, () => import('../commands/connect/connect.ts'))

  withOptions(
    connect(
      'connect',
      'Connect an assistant, with its MCP server and hooks; list them without one',
      (module) => module.runConnect,
    ).addArgument(new Argument('[client]', 'assistant to connect').choices(clientNames)),
    'add',
  ).addHelpText(
    'after',
    examples(
      'svc connect',
      'svc connect codex',
      'svc connect claude-code --dry-run',
      'svc connect cursor --project --only hooks',
    ),
  )

  withOptions(
    connect(
      'disconnect',
      'Remove svc from an assistant',
      (module) => module.runDisconnect,
    ).addArgument(new Argument('<client>', 'assistant to disconnect').choices(clientNames)),
    'remove',
  ).addHelpText('after', examples('svc disconnect codex', 'svc disconnect codex --only hooks'))
}

const withOptions = (command: Command, verb: string): Command =>
  command
    .addOption(
      new Option('--only <part>', `${verb} only the MCP server or the hooks`).choices(parts),
    )
    .option('--project', 'in the settings of the project in this folder')
    .option('--dry-run', 'show the changes without writing them')
    .option('--yes', 'do not ask for confirmation')
