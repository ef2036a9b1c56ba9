import { createAuthenticator } from '../harness/authenticator.ts'
import type { Sender } from './world.ts'

/** An authenticator with a passkey of the sender. */
export const withPasskey = async ({ server, send }: Sender) => {
  const authenticator = await createAuthenticator(new URL(server.baseUrl).origin)
  const { options } = await send('POST', '/api/auth/passkeys/options')
  const response = await authenticator.register(options)
  const { id } = await send('POST', '/api/auth/passkeys', { name: 'phone', response })
  return { authenticator, id }
}

/** The response of an authenticator to the options of a sign-in. */
export const passkeyResponse = async (sender: Sender) => {
  const { authenticator } = await withPasskey(sender)
  const { options } = await sender.send('POST', '/api/auth/passkeys/signin/options')
  return authenticator.signIn(options)
}
