import type { Command } from 'commander'
import type { ServeArgs } from '../commands/serve.ts'
import { defineCommands, type RunWithContext, type RunWithoutContext } from './define.ts'
import { examples } from './examples.ts'
import { withGlobalOptions } from './help.ts'
import { parsePort } from './values.ts'

export const serverCommands = (
  program: Command,
  run: RunWithContext,
  runWithoutContext: RunWithoutContext,
): void => {
  const serve = defineCommands(program, runWithoutContext, () => import('../commands/serve.ts'))(
    'serve',
    'Run the server until it is stopped',
    (module) => (_, options: ServeArgs) => module.runServe(options),
  )
    .alias('start')
    .option('--port <number>', 'port to listen on (SVC_PORT; default 3000)', parsePort)
    .option('--host <address>', 'address to listen on (SVC_HOST; default 127.0.0.1)')
    .option(
      '--data-dir <path>',
      'directory of the database and files (SVC_DATA_DIR; default ./data)',
    )
    .addHelpText('after', SERVE)
  withGlobalOptions(serve, '--debug')

  defineCommands(program, run, () => import('../commands/status.ts'))(
    'status',
    'Show the server, your account, and what waits for you',
    (module) => module.runStatus,
  )

  defineCommands(program, runWithoutContext, () => import('../commands/doctor/doctor.ts'))(
    'doctor',
    'Check files, server, credential and assistants, and suggest fixes',
    (module) => module.runDoctor,
  ).option('--server', 'check only the server, for its operator; needs no sign-in')
}

const SERVE = `
Variables set these and more, such as the PostgreSQL server: docs/reference/configuration.md.
${examples('svc serve', 'svc serve --port 4000 --data-dir ~/svc-data')}`
