/**
 * Signs in repeatedly, one sign-in per account at a time: `sign-ins.ts URL SECONDS EMAIL...`. Prints
 * `SignIns`.
 */
import { signIn } from '../../shared/contract/index.ts'
import { nextAddress, PASSWORD } from './server.ts'

export interface SignIns {
  answered: number
}

const [url = '', seconds, ...emails] = process.argv.slice(2)
const end = performance.now() + Number(seconds) * 1000
let answered = 0

const keepSigningIn = async (email: string) => {
  while (performance.now() < end) {
    const response = await fetch(new URL(signIn.path, url), {
      method: signIn.method,
      headers: { 'content-type': 'application/json', 'x-forwarded-for': nextAddress() },
      body: JSON.stringify({ email, password: PASSWORD }),
    })
    if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`)
    await response.arrayBuffer()
    answered++
  }
}

await Promise.all(emails.map(keepSigningIn))
const signIns: SignIns = { answered }
console.log(JSON.stringify(signIns))
