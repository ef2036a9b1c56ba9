import type { Command } from 'commander'
import type { LoginArgs } from '../commands/login/login.ts'
import { examples } from './examples.ts'
import type { Run } from './run.ts'

export const accountCommands = (program: Command, run: Run): void => {
  program
    .command('login')
    .description('Sign in: approve a code in the browser')
    .option('--no-browser', 'only show the address, open nothing')
    .option('--with-token', 'read an API key from stdin instead')
    .addHelpText(
      'after',
      examples(
        'svc login',
        'svc login --url https://svc.example.com --profile work',
        'svc login --with-token --profile ci < key.txt',
      ),
    )
    .action((args: LoginArgs) =>
      run(async (context) => (await import('../commands/login/login.ts')).login(context, args)),
    )

  program
    .command('logout')
    .description('Revoke the key, end the session and forget both')
    .action(() => run(async (context) => (await import('../commands/logout.ts')).logout(context)))

  program
    .command('whoami')
    .description('Say who is signed in, where, and by which credential')
    .action(() => run(async (context) => (await import('../commands/whoami.ts')).whoami(context)))
}
