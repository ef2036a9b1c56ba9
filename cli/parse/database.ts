import type { Command } from 'commander'
import { dataDirOption } from './data-dir.ts'
import { defineCommands, type RunWithoutContext } from './define.ts'
import { examples } from './examples.ts'
import { OUTPUT_OPTIONS, withGlobalOptions } from './help.ts'

/** Commands on the database of this machine's server. They read the variables of the server. */
export const databaseCommands = (program: Command, run: RunWithoutContext): void => {
  const admin =
    program.commands.find((command) => command.name() === 'admin') ??
    program.command('admin').description('Administer the server')
  const others = new Set(admin.commands)
  const dataDir = dataDirOption(run)
  archiveCommands(admin, dataDir.withVariable)
  moveCommands(admin, dataDir.withVariable)
  // They have no client, so no server, profile or organization.
  for (const command of admin.commands.filter((each) => !others.has(each))) {
    dataDir.addTo(command)
    withGlobalOptions(command, ...OUTPUT_OPTIONS)
  }
}

const archiveCommands = (admin: Command, run: RunWithoutContext): void => {
  const archive = defineCommands(admin, run, () => import('../commands/admin/backup.ts'))
  archive(
    'backup <file>',
    'Back up the database, files and secret, also while svc runs',
    (module) => module.runBackup,
  )
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

  archive('restore <file>', 'Restore a backup while svc is stopped', (module) => module.runRestore)
    .option('--force', 'replace an existing database')
    .option('--passphrase-file <file>', 'file with the passphrase of an encrypted backup')
    .addHelpText('after', VARIABLES + PASSPHRASE + examples('svc admin restore svc-backup.tar.zst'))
}

const moveCommands = (admin: Command, run: RunWithoutContext): void => {
  const operation = defineCommands(admin, run, () => import('../commands/admin/database.ts'))
  operation(
    'move',
    'Copy the database to another server, or into the embedded one',
    (module) => module.runMove,
  )
    .requiredOption('--to <target>', 'URL of an empty PostgreSQL database, or embedded')
    .option('--from <source>', 'URL or embedded (default: the configured database)')
    .option('--force', 'replace an existing embedded database')
    .addHelpText('after', VARIABLES + examples('svc admin move --to postgres://svc@db.example/svc'))

  operation(
    'distribute',
    'Distribute the memories over the nodes of a Citus cluster while svc is stopped',
    (module) => module.runDistribute,
  ).addHelpText('after', VARIABLES)

  operation(
    'upgrade',
    'Convert the embedded database of an older version of PostgreSQL',
    (module) => module.runUpgrade,
  )
    .option('--old-binaries <dir>', 'directory of the binaries of the older version')
    .addHelpText('after', VARIABLES)

  operation(
    'accept-secret',
    'Replace the secret of the database by the configured one while svc is stopped',
    (module) => module.runAcceptSecret,
  ).addHelpText('after', VARIABLES)

  operation(
    'rotate-secret',
    'Replace the generated secret while svc is stopped; no user is signed out',
    (module) => module.runRotateSecret,
  )
    .option('--drop-previous', 'remove the replaced secret, after which nothing accepts it')
    .addHelpText('after', VARIABLES)

  operation(
    'check',
    'Compare the indexes, statistics and files with the memories',
    (module) => module.runCheck,
  )
    .option('--repair', 'repair what differs')
    .addHelpText('after', VARIABLES)
}

const VARIABLES = `
Variables of the server: SVC_DATA_DIR (default ./data), SVC_DATABASE_URL, SVC_AUTH_SECRET, SVC_S3_*
`

const PASSPHRASE = `The passphrase is that of --passphrase-file or SVC_BACKUP_PASSPHRASE, which also
encrypt a backup without --encrypt. Otherwise svc asks for it.
`
