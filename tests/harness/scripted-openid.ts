import { randomUUID } from 'node:crypto'
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'

export const OPENID_CLIENT = {
  id: 'svc-under-test',
  secret: 'a secret & its = signs of 32 characters',
}

interface SigningKey {
  kid: string
  privateKey: CryptoKey
  jwk: JWK
}

export const newSigningKey = async (): Promise<SigningKey> => {
  const kid = randomUUID()
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
  return {
    kid,
    privateKey,
    jwk: { ...(await exportJWK(publicKey)), kid, use: 'sig', alg: 'RS256' },
  }
}

/** The next answers of the provider. Each has the default of a provider that works. */
export interface Script {
  key: SigningKey
  /** The published keys. */
  keys: JWK[]
  /** Changes of the claims of the ID token. */
  claims: Record<string, unknown>
  /** Makes the ID token instead of the key. */
  sign?: ((claims: Record<string, unknown>) => Promise<string>) | undefined
  /** Changes of the query of the redirect to the callback; undefined removes a parameter. */
  redirect: Record<string, string | undefined>
  /** Changes of the metadata. */
  metadata: Record<string, unknown>
  /** Answers a request instead of the provider. */
  answer?: ((path: string) => Response | Promise<Response> | undefined) | undefined
}

/** An OpenID provider in this process whose answers a test chooses, also wrong ones. */
export interface ScriptedOpenId extends AsyncDisposable {
  issuer: string
  script: Script
  /** The paths that were requested. */
  requests: string[]
  /** The variables that configure a server to use it. */
  env(name: string): Record<string, string>
  /** Signs claims with the current key, with those of this provider as defaults. */
  logoutToken(claims: Record<string, unknown>): Promise<string>
}

export const startScriptedOpenId = async (): Promise<ScriptedOpenId> => {
  const key = await newSigningKey()
  const script: Script = { key, keys: [key.jwk], claims: {}, redirect: {}, metadata: {} }
  const nonces = new Map<string, string>()
  const requests: string[] = []

  const signed = ({ kid, privateKey }: SigningKey, claims: Record<string, unknown>) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid }).sign(privateKey)

  const authorize = (query: URLSearchParams): Response => {
    const code = randomUUID()
    nonces.set(code, query.get('nonce') ?? '')
    const back = new URL(query.get('redirect_uri') ?? '')
    const sent = { code, state: query.get('state') ?? '', iss: issuer, ...script.redirect }
    for (const [name, value] of Object.entries(sent)) if (value) back.searchParams.set(name, value)
    return Response.redirect(back.href)
  }

  const token = async (form: URLSearchParams): Promise<Response> => {
    const now = Math.floor(Date.now() / 1000)
    const claims: Record<string, unknown> = {
      iss: issuer,
      aud: OPENID_CLIENT.id,
      iat: now,
      exp: now + 300,
      nonce: nonces.get(form.get('code') ?? ''),
      ...script.claims,
    }
    const id_token = await (script.sign?.(claims) ?? signed(script.key, claims))
    return Response.json({ access_token: randomUUID(), token_type: 'Bearer', id_token })
  }

  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request): Promise<Response> {
      const { pathname, searchParams } = new URL(request.url)
      requests.push(pathname)
      const answered = await script.answer?.(pathname)
      if (answered) return answered
      if (pathname === '/authorize') return authorize(searchParams)
      if (pathname === '/token') return token(new URLSearchParams(await request.text()))
      if (pathname === '/jwks') return Response.json({ keys: script.keys })
      return Response.json({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
        authorization_response_iss_parameter_supported: true,
        ...script.metadata,
      })
    },
  })
  const issuer: string = `http://127.0.0.1:${server.port}`
  return {
    issuer,
    script,
    requests,
    env: (name) => ({
      [`SVC_OIDC_${name}_ISSUER`]: issuer,
      [`SVC_OIDC_${name}_ID`]: OPENID_CLIENT.id,
      [`SVC_OIDC_${name}_SECRET`]: OPENID_CLIENT.secret,
    }),
    logoutToken(claims) {
      const now = Math.floor(Date.now() / 1000)
      return signed(script.key, {
        iss: issuer,
        aud: OPENID_CLIENT.id,
        iat: now,
        exp: now + 120,
        jti: randomUUID(),
        events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
        ...claims,
      })
    },
    [Symbol.asyncDispose]: () => server.stop(true),
  }
}
