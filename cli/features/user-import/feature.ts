import { Option } from 'commander'
import type { UserImportFormat } from '../../../shared/contract/user-import.ts'
import type { CliFeature } from '../../feature.ts'
import { defineCommands } from '../../parse/define.ts'
import { examples } from '../../parse/examples.ts'

// Listed here, because importing the schema would load TypeBox on every start.
const importFormats = Object.keys({
  svc: true,
  supabase: true,
  'better-auth': true,
  firebase: true,
  pocketbase: true,
} satisfies Record<Exclude<UserImportFormat, 'auto'>, true>)

export const userImport: CliFeature = {
  name: 'user-import',
  adminCommands(admin, run) {
    const users = admin.commands.find((each) => each.name() === 'users') ?? admin.command('users')
    const define = defineCommands(users, run, () => import('./import-users.ts'))
    define('import <file>', 'Import users with their password hashes', (m) => m.runAdminUsersImport)
      .addOption(
        new Option('--format <format>', 'source of the file (default: detected)').choices(
          importFormats,
        ),
      )
      .option('--dry-run', 'check the file and report, but store nothing')
      .option('--firebase-config <file>', 'hash parameters of the Firebase project')
      .addHelpText(
        'after',
        examples(
          'svc admin users import users.ndjson --dry-run',
          'svc admin users import users.json --firebase-config hash-config.txt',
        ),
      )
  },
}
