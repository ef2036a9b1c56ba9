import type { Invocation } from '../../parse/define.ts'
import { formatRows, runOperation, stemAdvice } from './operation.ts'
import { passphraseOf } from './passphrase.ts'

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
