import type { Command } from 'commander'
import type { ServeArgs } from '../commands/serve.ts'
import { examples } from './examples.ts'
import { withGlobalOptions } from './help.ts'
import { lazyCommands } from './lazy.ts'
import type { RunWithContext, RunWithoutContext } from './run.ts'
import { parsePort } from './values.ts'

export const serverCommands = (
  program: Command,
  run: RunWithContext,
  runWithoutContext: RunWithoutContext,
): void => {
  const serve = program
    .command('serve')
    .alias('start')
    .description('Run the server until it is stopped')
    .option('--port <number>', 'port to listen on (SVC_PORT; default 3000)', parsePort)
    .option('--host <address>', 'address to listen on (SVC_HOST; default 127.0.0.1)')
    .option(
      '--data-dir <path>',
      'directory of the database and files (SVC_DATA_DIR; default ./data)',
    )
    .addHelpText('after', SERVE)
    .action((options: ServeArgs) =>
      runWithoutContext(async () => (await import('../commands/serve.ts')).runServe(options)),
    )
  withGlobalOptions(serve, '--debug')

  lazyCommands(program, run, () => import('../commands/status.ts'))(
    'status',
    'Show the server, your account, and what waits for you',
    (module) => module.runStatus,
  )

  program
    .command('doctor')
    .description('Check files, server, credential and assistants, and suggest fixes')
    .option('--server', 'check only the server, for its operator; needs no sign-in')
    .action(({ server }: { server?: boolean }) =>
      runWithoutContext(async (invocation) =>
        (await import('../commands/doctor/doctor.ts')).runDoctor(invocation, server ?? false),
      ),
    )
}

const SERVE = `
Variables set these and more, such as the PostgreSQL server: docs/reference/configuration.md.
${examples('svc serve', 'svc serve --port 4000 --data-dir ~/svc-data')}`
