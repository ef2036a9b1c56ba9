import { serverEnvironment } from '../../config.ts'
import { runInterruptible } from '../../interrupt.ts'
import type { Invocation } from '../../parse/run.ts'
import { formatRows, runOperation } from './operation.ts'

interface BackupArgs {
  path: string
  force?: boolean
}

export const runBackup = async (
  invocation: Invocation,
  { path, force = false }: BackupArgs,
): Promise<void> => {
  const { io, options } = invocation
  const { manifest, missing } = await runInterruptible((signal) =>
    runOperation(invocation, ({ operations, report }) =>
      operations.backUpServer(serverEnvironment(), { path, overwrites: force, signal, report }),
    ),
  )
  for (const name of missing) io.message(`warning: The file ${name} is missing on the server.`)
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
  if (options.json)
    io.printJson({ file: path, taken_at: manifest.takenAt, rows, files: manifest.blobs, missing })
  else
    io.info(`Backed up ${formatRows(rows)} and ${manifest.blobs} files to ${path}. Keep it secret.`)
}
