import type { Command } from 'commander'
import { defineCommands, type RunWithContext } from './define.ts'
import { examples } from './examples.ts'
import { parsePositiveInteger } from './values.ts'

export const accountCommands = (program: Command, run: RunWithContext): void => {
  signInCommands(program, run)
  defineCommands(program, run, () => import('../commands/verify.ts'))(
    'verify [link]',
    'Verify your email address, or send the link again',
    (module) => module.runVerify,
  )
    .option('--resend', 'send the verification link again')
    .addHelpText('after', examples('svc verify --resend', 'svc verify "http://…/verify?token=…"'))

  emailCommands(program, run)

  defineCommands(program, run, () => import('../commands/usage.ts'))(
    'usage',
    'Show the usage, quotas and credits of this month',
    (module) => module.runUsage,
  )

  defineCommands(program, run, () => import('../commands/audit.ts'))(
    'audit',
    'List the security events of your account, newest first',
    (module) => module.runAudit,
  )
    .option('--limit <number>', 'maximum number, 1-100 (default 50)', parsePositiveInteger)
    .option('--action <text>', 'only events whose action starts with this')
    .option('--cursor <cursor>', 'continue at this cursor')
    .addHelpText('after', examples('svc audit', 'svc audit --action key.'))

  mfaCommands(program, run)
  passkeyCommands(program, run)
}

const signInCommands = (program: Command, run: RunWithContext): void => {
  defineCommands(program, run, () => import('../commands/login/login.ts'))(
    'login',
    'Sign in by approving a code in the browser',
    (module) => module.runLogin,
  )
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

  defineCommands(program, run, () => import('../commands/logout.ts'))(
    'logout',
    'Revoke the API key, end the session and delete both here',
    (module) => module.runLogout,
  )

  defineCommands(program, run, () => import('../commands/whoami.ts'))(
    'whoami',
    'Show the signed-in account, the server and the credential',
    (module) => module.runWhoami,
  )

  const auth = program.command('auth').description('Print the credential of your sign-in')
  defineCommands(auth, run, () => import('../commands/token.ts'))(
    'token',
    'Print the API key that svc uses',
    (module) => module.runAuthToken,
  ).addHelpText('after', examples('svc auth token', 'svc auth token --profile work'))
}

const emailCommands = (program: Command, run: RunWithContext): void => {
  const email = program.command('email').description('Change the email address of your account')
  const defineEmail = defineCommands(email, run, () => import('../commands/email.ts'))
  defineEmail('change <email>', 'Mail a link to a new address', (m) => m.runEmailChange)
    .option('--password-file <file>', 'read the password from a file')
    .addHelpText('after', examples('svc email change ada@example.org'))
  defineEmail(
    'confirm <link>',
    'Change the address with the link that was mailed to the new one',
    (module) => module.runEmailConfirm,
  ).addHelpText('after', examples('svc email confirm "http://…/email/change?token=…"'))
  defineEmail(
    'undo <link>',
    'Undo a change with the link that was mailed to the former address',
    (module) => module.runEmailUndo,
  ).addHelpText('after', examples('svc email undo "http://…/email/undo?token=…"'))
}

const mfaCommands = (program: Command, run: RunWithContext): void => {
  const mfa = program.command('mfa').description('Manage the second factor of your sign-in')
  const define = defineCommands(mfa, run, () => import('../commands/mfa.ts'))

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

const passkeyCommands = (program: Command, run: RunWithContext): void => {
  const passkeys = program.command('passkeys').description('Manage the passkeys of your sign-in')
  const define = defineCommands(passkeys, run, () => import('../commands/passkeys.ts'))

  define('list', 'List passkeys', (module) => module.runPasskeysList)
  define(
    'rename <id> <name>',
    'Rename a passkey, by ID or name',
    (m) => m.runPasskeysRename,
  ).addHelpText('after', examples('svc passkeys rename phone "old phone"'))
  define('remove <id>', 'Remove a passkey, by ID or name', (module) => module.runPasskeysRemove)
    .option('--yes', 'skip the confirmation')
    .addHelpText('after', examples('svc passkeys remove ID', 'svc passkeys remove phone --yes'))
}
