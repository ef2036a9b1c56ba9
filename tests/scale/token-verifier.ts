/**
 * Verifies access tokens as another program does, with `jose` and the key set of a server. Each line of stdin
 * is a token, or `+` and a number of seconds that pass. Prints the `kid` or the error of each token.
 */
import { createRemoteJWKSet, jwtVerify } from 'jose'

const [url = '', issuer = ''] = process.argv.slice(2)
const keys = createRemoteJWKSet(new URL('/.well-known/jwks.json', url))

let passedMs = 0
const realNow = Date.now
Date.now = () => realNow() + passedMs

const verify = async (token: string): Promise<string> => {
  try {
    const { protectedHeader } = await jwtVerify(token, keys, {
      algorithms: ['ES256'],
      typ: 'at+jwt',
      issuer,
      audience: 'svc:access',
      currentDate: new Date(Date.now()),
    })
    return protectedHeader.kid ?? 'no kid'
  } catch (error) {
    return `refused: ${error}`
  }
}

for await (const line of console) {
  if (line.startsWith('+')) passedMs += Number(line) * 1000
  else if (line !== '') console.log(await verify(line))
}
