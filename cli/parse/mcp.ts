import { type Command, Option } from 'commander'
import type { InstallScope } from '../../shared/mcp-clients.ts'
import { defineCommands, type RunWithContext, type RunWithoutContext } from './define.ts'
import { examples } from './examples.ts'
import { clientNames } from './values.ts'

const scopes = ['user', 'project'] satisfies InstallScope[]

export const mcpCommands = (
  program: Command,
  run: RunWithContext,
  runWithoutContext: RunWithoutContext,
): void => {
  const mcp = program.command('mcp').description('Connect an assistant over MCP')

  defineCommands(mcp, run, () => import('../commands/mcp/install.ts'))(
    'install',
    'Add svc to the settings of an assistant',
    (module) => module.runMcpInstall,
  )
    .addOption(
      new Option('--client <name>', 'assistant to configure (default: asks)').choices(clientNames),
    )
    .addOption(
      new Option('--scope <scope>', 'for your user, or for the project in this folder')
        .choices(scopes)
        .default('user'),
    )
    .option('--http', 'use the address of the server instead of a local process')
    .option('--dry-run', 'show the changes without writing them')
    .addHelpText(
      'after',
      examples(
        'svc mcp install',
        'svc mcp install --client claude-code --dry-run',
        'svc mcp install --client cursor --scope project',
        'svc mcp install --client vscode --http',
      ),
    )

  defineCommands(mcp, runWithoutContext, () => import('../commands/mcp/run.ts'))(
    'run',
    'Serve MCP on stdin and stdout (started by the assistant)',
    (module) => module.runMcpServer,
  )
    .option('--tools <names>', 'serve only these tools, such as recall,list')
    .option('--read-only', 'serve only tools that do not write')
    .option('--lockdown', 'show only memories of the user and of assistants')
    .addHelpText(
      'after',
      examples('svc mcp run --read-only', 'svc mcp run --tools recall,remember'),
    )
}
