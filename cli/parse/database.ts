import type { Command } from 'commander'
import type { BackupArgs } from '../commands/admin/backup.ts'
import type { RestoreArgs } from '../commands/admin/restore.ts'
import { examples } from './examples.ts'
import { withGlobalOptions } from './help.ts'
import type { RunWithoutContext } from './run.ts'

/** Commands on the database of this machine's server. They read the variables of the server. */
export const databaseCommands = (program: Command, runWithoutContext: RunWithoutContext): void => {
  const admin =
    program.commands.find((command) => command.name() === 'admin') ??
    program.command('admin').description('Administer the server')
  const others = new Set(admin.commands)
  archiveCommands(admin, runWithoutContext)
  moveCommands(admin, runWithoutContext)
  // They have no client, so no server, profile or organization.
  for (const command of admin.commands.filter((each) => !others.has(each)))
    withGlobalOptions(command, ...OUTPUT_OPTIONS)
}

const OUTPUT_OPTIONS = ['--json', '--jq', '--template', '--quiet', '--no-color', '--debug']

const archiveCommands = (admin: Command, runWithoutContext: RunWithoutContext): void => {
  admin
    .command('backup <file>')
    .description('Back up the database, files and secret, also while svc runs')
    .option('--force', 'replace an existing file')
    .option('--encrypt', 'encrypt the backup with a passphrase')
    .option('--passphrase-file <file>', 'encrypt with the passphrase in a file')
    .option('--no-secret', 'leave out the secret that signs tokens')
    .addHelpText(
      'after',
      VARIABLES +
        PASSPHRASE +
        examples(
          'svc admin backup svc-backup.tar.zst',
          'svc admin backup --encrypt svc.tar.zst.age',
        ),
    )
    .action((path: string, options: Omit<BackupArgs, 'path'>) =>
      runWithoutContext(async (invocation) =>
        (await import('../commands/admin/backup.ts')).runBackup(invocation, { path, ...options }),
      ),
    )

  admin
    .command('restore <file>')
    .description('Restore a backup while svc is stopped')
    .option('--force', 'replace an existing database')
    .option('--passphrase-file <file>', 'file with the passphrase of an encrypted backup')
    .addHelpText('after', VARIABLES + PASSPHRASE + examples('svc admin restore svc-backup.tar.zst'))
    .action((path: string, options: Omit<RestoreArgs, 'path'>) =>
      runWithoutContext(async (invocation) =>
        (await import('../commands/admin/restore.ts')).runRestore(invocation, { path, ...options }),
      ),
    )
}

const moveCommands = (admin: Command, runWithoutContext: RunWithoutContext): void => {
  admin
    .command('move')
    .description('Copy the database to another server, or into the embedded one')
    .requiredOption('--to <target>', 'URL of an empty PostgreSQL database, or embedded')
    .option('--from <source>', 'URL or embedded (default: the configured database)')
    .option('--force', 'replace an existing embedded database')
    .addHelpText('after', VARIABLES + examples('svc admin move --to postgres://svc@db.example/svc'))
    .action((options: { to: string; from?: string; force?: boolean }) =>
      runWithoutContext(async (invocation) =>
        (await import('../commands/admin/move.ts')).runMove(invocation, options),
      ),
    )

  admin
    .command('distribute')
    .description('Distribute the memories over the nodes of a Citus cluster while svc is stopped')
    .addHelpText('after', VARIABLES)
    .action(() =>
      runWithoutContext(async (invocation) =>
        (await import('../commands/admin/distribute.ts')).runDistribute(invocation),
      ),
    )

  admin
    .command('upgrade')
    .description('Convert the embedded database of an older version of PostgreSQL')
    .option('--old-binaries <dir>', 'directory of the binaries of the older version')
    .addHelpText('after', VARIABLES)
    .action((options: { oldBinaries?: string }) =>
      runWithoutContext(async (invocation) =>
        (await import('../commands/admin/upgrade.ts')).runUpgrade(invocation, options),
      ),
    )

  admin
    .command('accept-secret')
    .description('Replace the secret of the database by the configured one while svc is stopped')
    .addHelpText('after', VARIABLES)
    .action(() =>
      runWithoutContext(async (invocation) =>
        (await import('../commands/admin/accept-secret.ts')).runAcceptSecret(invocation),
      ),
    )

  admin
    .command('check')
    .description('Compare the indexes, statistics and files with the memories')
    .option('--repair', 'repair what differs')
    .addHelpText('after', VARIABLES)
    .action((options: { repair?: boolean }) =>
      runWithoutContext(async (invocation) =>
        (await import('../commands/admin/check.ts')).runCheck(invocation, options),
      ),
    )
}

const VARIABLES = `
Variables of the server: SVC_DATA_DIR (default ./data), SVC_DATABASE_URL, SVC_AUTH_SECRET, SVC_S3_*
`

const PASSPHRASE = `The passphrase is that of --passphrase-file or SVC_BACKUP_PASSPHRASE, which also
encrypt a backup without --encrypt. Otherwise svc asks for it.
`
