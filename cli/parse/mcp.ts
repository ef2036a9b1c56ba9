import { type Command, Option } from 'commander'
import type { ClientName, Scope } from '../commands/mcp/clients.ts'
import type { InstallArgs } from '../commands/mcp/install.ts'
import { examples } from './examples.ts'
import type { Run, RunBare } from './run.ts'

const clients = Object.keys({
  'claude-code': true,
  'claude-desktop': true,
  cursor: true,
  vscode: true,
  codex: true,
  windsurf: true,
  zed: true,
} satisfies Record<ClientName, true>)

const scopes = ['user', 'project'] satisfies Scope[]

export const mcpCommands = (program: Command, run: Run, bare: RunBare): void => {
  const mcp = program.command('mcp').description('Give an assistant this memory, over MCP')

  mcp
    .command('install')
    .description('Add svc to the settings of an assistant')
    .addOption(
      new Option('--client <name>', 'the assistant').choices(clients).makeOptionMandatory(),
    )
    .addOption(
      new Option('--scope <scope>', 'for you everywhere, or for the project in this folder')
        .choices(scopes)
        .default('user'),
    )
    .option('--http', 'by the address of the server, instead of starting svc')
    .option('--dry-run', 'only show what would change')
    .addHelpText(
      'after',
      examples(
        'svc mcp install --client claude-code --dry-run',
        'svc mcp install --client cursor --scope project',
        'svc mcp install --client vscode --http',
      ),
    )
    .action((options: InstallArgs) =>
      run(async (context) =>
        (await import('../commands/mcp/install.ts')).install(context, options),
      ),
    )

  mcp
    .command('run')
    .description('Serve MCP on stdin and stdout; an assistant starts this')
    .action(() => bare(async (given) => (await import('../commands/mcp/run.ts')).run(given)))
}
