/** Web Authentication in the browser. Its own conversion from JSON is too new for many browsers. */
import type { AuthenticationResponse } from './api.ts'

const toBytes = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (byte) =>
    byte.charCodeAt(0),
  )

const toText = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

export const hasPasskeys = (): boolean => 'PublicKeyCredential' in globalThis

/** The members of `PublicKeyCredentialRequestOptionsJSON` that svc sends. */
interface RequestOptions {
  challenge: string
  rpId?: string
  timeout?: number
  userVerification?: UserVerificationRequirement
  allowCredentials?: { id: string; type: 'public-key' }[]
}

/**
 * Has the authenticator of the browser sign the challenge of the server.
 * @throws DOMException `NotAllowedError` if the user declines.
 */
export const askPasskey = async (options: object): Promise<AuthenticationResponse> => {
  const { challenge, allowCredentials = [], ...others } = options as RequestOptions
  const credential = await navigator.credentials.get({
    publicKey: {
      ...others,
      challenge: toBytes(challenge),
      allowCredentials: allowCredentials.map((each) => ({ ...each, id: toBytes(each.id) })),
    },
  })
  if (!(credential instanceof PublicKeyCredential)) throw new Error('The browser has no passkey')
  const { clientDataJSON, authenticatorData, signature, userHandle } =
    credential.response as AuthenticatorAssertionResponse
  return {
    id: credential.id,
    response: {
      clientDataJSON: toText(clientDataJSON),
      authenticatorData: toText(authenticatorData),
      signature: toText(signature),
      userHandle: userHandle && toText(userHandle),
    },
  }
}
