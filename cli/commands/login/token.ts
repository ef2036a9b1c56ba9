import { ApiFailure } from '../../../shared/client.ts'
import { me } from '../../../shared/contract/sessions.ts'
import type { Context } from '../../context.ts'
import type { CliProfile } from '../../credentials.ts'
import { CliError, usageError } from '../../errors.ts'
import { readStdin } from '../../input.ts'
import { parseApiKey } from '../../settings.ts'

/** Reads an API key from stdin and verifies it. */
export const loginWithToken = async ({ io, url, connect }: Context): Promise<CliProfile> => {
  if (io.stdinIsTerminal)
    throw usageError(
      'The key is read from a pipe or file, so that it is not visible on the terminal.',
      'Run: svc login --with-token < key.txt',
    )
  const key = parseApiKey((await readStdin(io.runtime)).trim(), 'The input')
  const client = connect({ credential: key })
  const { email } = await client.call(me).catch((cause) => {
    if (!(cause instanceof ApiFailure && cause.status === 401)) throw cause
    throw new CliError(`${url} rejected the API key.`, 'To get a valid one, run: svc login', {
      kind: 'not_signed_in',
      cause,
    })
  })
  return { url, api_key: key, email }
}
