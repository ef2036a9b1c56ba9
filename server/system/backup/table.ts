import { bigint, boolean, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import type { BackupState } from '../../../shared/contract/backups.ts'
import { instant } from '../../platform/db/columns.ts'

/** The backups that running servers made or make. */
export const backups = pgTable('backups', {
  id: uuid().primaryKey(),
  isScheduled: boolean('is_scheduled').notNull(),
  state: text().$type<BackupState>().notNull(),
  /** Null before it runs. */
  path: text(),
  /** The name of the machine that has the file. */
  host: text(),
  isEncrypted: boolean('is_encrypted').notNull().default(false),
  bytes: bigint({ mode: 'number' }),
  progress: text(),
  error: text(),
  createdAt: instant('created_at').notNull().defaultNow(),
  /** When the server that makes it was last known to do so. */
  aliveAt: instant('alive_at').notNull().defaultNow(),
  finishedAt: instant('finished_at'),
})
