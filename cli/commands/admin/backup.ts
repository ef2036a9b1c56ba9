import { CliError, usageError } from '../../errors.ts'
import { askHidden, canAsk, readTextFile, trimLineEnds } from '../../input.ts'
import { runInterruptible } from '../../interrupt.ts'
import type { Invocation } from '../../parse/define.ts'
import { formatRows, runOperation, stemAdvice } from './operation.ts'

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

/** An attacker who has the file can try passphrases without a limit. */
const MIN_CHARACTERS = 12

/**
 * The passphrase of a new backup, if it is to be encrypted.
 * @throws CliError when it is too short, or there is no terminal to ask on.
 */
const newPassphrase = async (
  invocation: Invocation,
  isWanted: boolean,
  file: string | undefined,
): Promise<string | undefined> => {
  const given = await givenPassphrase(invocation, file)
  if (given === undefined && !isWanted) return undefined
  const passphrase = given ?? (await askTwice(invocation))
  if (passphrase.length < MIN_CHARACTERS)
    throw new CliError(
      `The passphrase must have at least ${MIN_CHARACTERS} characters.`,
      'Use several random words.',
    )
  return passphrase
}

/** The passphrase of an encrypted backup. @throws CliError when there is no terminal to ask on. */
const passphraseOf = async (
  invocation: Invocation,
  path: string,
  file: string | undefined,
): Promise<string> =>
  (await givenPassphrase(invocation, file)) ?? ask(invocation, `Passphrase of ${path}: `)

const givenPassphrase = async ({ environment, io }: Invocation, file: string | undefined) =>
  file === undefined
    ? environment.backupPassphrase
    : trimLineEnds(await readTextFile(file, io.runtime))

const askTwice = async (invocation: Invocation): Promise<string> => {
  const passphrase = await ask(invocation, 'Passphrase of the backup: ')
  if (passphrase === (await ask(invocation, 'The same again: '))) return passphrase
  throw new CliError('The passphrases differ.', 'Run the command again.')
}

const ask = ({ io }: Invocation, question: string): Promise<string> => {
  if (!canAsk(io))
    throw usageError(
      'The backup needs a passphrase, and there is no terminal to ask on.',
      'Set SVC_BACKUP_PASSPHRASE, or use --passphrase-file.',
    )
  io.clear()
  return askHidden(question, io.runtime)
}
