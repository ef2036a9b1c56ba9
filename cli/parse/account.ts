import type { Command } from 'commander'
import type { LoginArgs } from '../commands/login/login.ts'
import type { VerifyArgs } from '../commands/verify.ts'
import { definedFields } from '../defined.ts'
import { examples } from './examples.ts'
import type { RunWithContext } from './run.ts'

export const accountCommands = (program: Command, run: RunWithContext): void => {
  program
    .command('login')
    .description('Sign in by approving a code in the browser')
    .option('--no-browser', 'print the address without opening a browser')
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
      run(async (context) => (await import('../commands/login/login.ts')).runLogin(context, args)),
    )

  program
    .command('logout')
    .description('Revoke the API key, end the session and delete both here')
    .action(() =>
      run(async (context) => (await import('../commands/logout.ts')).runLogout(context)),
    )

  program
    .command('whoami')
    .description('Show the signed-in account, the server and the credential')
    .action(() =>
      run(async (context) => (await import('../commands/whoami.ts')).runWhoami(context)),
    )

  program
    .command('verify [link]')
    .description('Verify your email address, or send the link again')
    .option('--resend', 'send the verification link again')
    .addHelpText('after', examples('svc verify --resend', 'svc verify "http://…/verify?token=…"'))
    .action((link: string | undefined, options: Omit<VerifyArgs, 'link'>) =>
      run(async (context) =>
        (await import('../commands/verify.ts')).runVerify(context, {
          ...definedFields({ link }),
          ...options,
        }),
      ),
    )
}
