import { ApiFailure } from '../../../shared/client.ts'
import { me } from '../../../shared/contract/account.ts'
import { readKey } from '../../accepted.ts'
import type { Context } from '../../context.ts'
import type { Profile } from '../../credentials.ts'
import { CliError } from '../../errors.ts'
import { readStdin } from '../../input.ts'

/** Takes an API key from stdin, once the server has said whose it is. */
export const loginWithToken = async ({ io, url, connect }: Context): Promise<Profile> => {
  if (io.stdinIsTerminal)
    throw new CliError(
      'The key is read from a pipe or file, so that it does not show here.',
      'Run: svc login --with-token < key.txt',
      { kind: 'usage' },
    )
  const key = readKey((await readStdin()).trim(), 'The input')
  const client = connect({ credential: key })
  const { email } = await client.call(me).catch((cause) => {
    if (!(cause instanceof ApiFailure && cause.status === 401)) throw cause
    throw new CliError(`${url} refused the key that was given.`, 'To get one, run: svc login', {
      kind: 'not_signed_in',
      cause,
    })
  })
  return { url, api_key: key, email }
}
