import { CliError, Interrupted } from './errors.ts'

/** What went wrong and what to do about it, for stderr. @param debug with the stack traces. */
export const reportOf = (error: unknown, debug = false): string => {
  const next = error instanceof CliError ? error.next : 'Run it again with --debug to see more.'
  const message = error instanceof Error ? error.message : `${error}`
  const said = error instanceof Interrupted ? message : `error: ${message}\n${next}`
  return debug ? `${said}\n${stacks(error)}` : said
}

const stacks = (error: unknown): string =>
  error instanceof Error ? `${error.stack}\n${error.cause ? stacks(error.cause) : ''}` : `${error}`
