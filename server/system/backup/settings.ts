/** How a running server makes backups. */
export interface BackupSettings {
  /** Absolute. */
  directory: string
  /** A cron expression in UTC; undefined: only on demand. */
  schedule: string | undefined
  /** The number of the latest scheduled backups that are kept. */
  keep: number
  /** Undefined: backups are not encrypted. */
  passphrase: string | undefined
}
