import { CliError, usageError } from '../../errors.ts'
import { askHidden, canAsk, readTextFile, trimLineEnds } from '../../input.ts'
import type { Invocation } from '../../parse/define.ts'

/** An attacker who has the file can try passphrases without a limit. */
const MIN_CHARACTERS = 12

/**
 * The passphrase of a new backup, if it is to be encrypted.
 * @throws CliError when it is too short, or there is no terminal to ask on.
 */
export const newPassphrase = async (
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
export const passphraseOf = async (
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
