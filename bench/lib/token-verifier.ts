/**
 * Verifies the access token of each line as another program does, with the defaults of `jose`:
 * `token-verifier.ts URL ISSUER`. Prints `ok` or the error.
 */
import { createRemoteJWKSet, jwtVerify } from 'jose'

const [url = '', issuer = ''] = process.argv.slice(2)
const keys = createRemoteJWKSet(new URL('/.well-known/jwks.json', url))
const expected = { algorithms: ['ES256'], typ: 'at+jwt', issuer, audience: 'svc:access' }

for await (const token of console) {
  if (token === '') continue
  console.log(await jwtVerify(token, keys, expected).then(() => 'ok', String))
}
