import type { Command } from 'commander'
import type { LoginArgs } from '../commands/login/login.ts'
import type { VerifyArgs } from '../commands/verify.ts'
import { definedFields } from '../defined.ts'
import { examples } from './examples.ts'
import { lazyCommands } from './lazy.ts'
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

  lazyCommands(program, run, () => import('../commands/usage.ts'))(
    'usage',
    'Show the usage, quotas and credits of this month',
    (module) => module.runUsage,
  )

  mfaCommands(program, run)
}

const mfaCommands = (program: Command, run: RunWithContext): void => {
  const mfa = program.command('mfa').description('Manage the second factor of your sign-in')
  const define = lazyCommands(mfa, run, () => import('../commands/mfa.ts'))

  define('status', 'Show whether the second factor is enabled', (m) => m.runMfaStatus)
  define('enable', 'Create a secret for an authenticator app', (m) => m.runMfaEnable)
  define(
    'confirm <code>',
    'Enable the second factor with a code of the app',
    (m) => m.runMfaConfirm,
  )
  define(
    'recovery-codes <code>',
    'Replace the recovery codes, with a code of the app',
    (module) => module.runMfaRecoveryCodes,
  )
  define(
    'disable <code>',
    'Disable the second factor, with a code of the app or a recovery code',
    (module) => module.runMfaDisable,
  )
    .option('--yes', 'skip the confirmation')
    .addHelpText('after', examples('svc mfa disable 123456'))
}
