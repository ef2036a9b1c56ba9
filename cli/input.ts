import { CliError } from './errors.ts'

/** All of stdin, as text. @throws CliError when it is not UTF-8. */
export const readStdin = async (): Promise<string> => {
  const bytes = await Bun.stdin.bytes()
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new CliError('The input is not UTF-8 text.', 'Pipe text in; --help shows how.', {
      kind: 'usage',
      cause,
    })
  }
}
