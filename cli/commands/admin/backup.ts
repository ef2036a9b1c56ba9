import { runInterruptible } from '../../interrupt.ts'
import type { Invocation } from '../../parse/define.ts'
import { formatRows, runOperation, stemAdvice } from './operation.ts'
import { newPassphrase, passphraseOf } from './passphrase.ts'

interface BackupArgs {
  file: string
  force?: boolean
  encrypt?: boolean
  passphraseFile?: string
  secret: boolean
}

export const runBackup = async (
  invocation: Invocation,
  { file: path, force = false, encrypt = false, passphraseFile, secret: hasSecret }: BackupArgs,
): Promise<void> => {
  const { io, options } = invocation
  io.willPrint([...ARCHIVED, 'missing', 'encrypted', 'has_secret'])
  const passphrase = await newPassphrase(invocation, encrypt, passphraseFile)
  const { manifest, missing } = await runInterruptible(io, (signal) =>
    runOperation(invocation, ({ operations, report }) =>
      operations.backUpServer(io.runtime.env, {
        path,
        overwrites: force,
        hasSecret,
        passphrase,
        signal,
        report,
      }),
    ),
  )
  for (const name of missing) io.message(`warning: The file ${name} is missing on the server.`)
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
  if (options.json)
    io.printJson({
      file: path,
      taken_at: manifest.takenAt,
      rows,
      files: manifest.blobs,
      missing,
      encrypted: passphrase !== undefined,
      has_secret: hasSecret,
    })
  else
    io.info(
      `Backed up ${formatRows(rows)} and ${manifest.blobs} files to ${path}. ${adviceOf(passphrase !== undefined, hasSecret)}`,
    )
}

/** The fields of every archive. */
const ARCHIVED = ['file', 'taken_at', 'rows', 'files']

const adviceOf = (isEncrypted: boolean, hasSecret: boolean): string => {
  const advice = isEncrypted ? 'Without its passphrase it cannot be restored.' : 'Keep it secret.'
  return hasSecret ? advice : `${advice} It has no secret: keep SVC_AUTH_SECRET or auth-secret too.`
}

interface RestoreArgs {
  file: string
  force?: boolean
  passphraseFile?: string
}

export const runRestore = async (
  invocation: Invocation,
  { file: path, force = false, passphraseFile }: RestoreArgs,
): Promise<void> => {
  const { io, options } = invocation
  io.willPrint([...ARCHIVED, 'from', 'to'])
  const { manifest, ...versions } = await runOperation(invocation, ({ operations, report }) =>
    operations.restoreBackup(io.runtime.env, path, {
      overwrites: force,
      passphrase: () => passphraseOf(invocation, path, passphraseFile),
      report,
    }),
  )
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
  if (options.json)
    io.printJson({
      file: path,
      taken_at: manifest.takenAt,
      rows,
      files: manifest.blobs,
      ...versions,
    })
  else
    io.info(
      `Restored ${formatRows(rows)} and ${manifest.blobs} files of ${manifest.takenAt}. Start svc to use them.${stemAdvice(versions)}`,
    )
}
