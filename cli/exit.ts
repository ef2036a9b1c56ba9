import { CommanderError } from 'commander'
import { CliError, type ErrorKind } from './errors.ts'

export const exitCode = {
  done: 0,
  failed: 1,
  usage: 2,
  not_signed_in: 4,
  interrupted: 130,
} as const satisfies Record<ErrorKind | 'done', number>

export const exitCodeOf = (error: unknown): number => {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.done : exitCode.usage
  return error instanceof CliError ? exitCode[error.kind] : exitCode.failed
}
