import { me } from '../../shared/contract/account.ts'
import { type Context, signedIn } from '../context.ts'
import { oneLine } from '../output.ts'

const kinds = { api_key: 'API key', jwt: 'access token' } as const

/** Who is signed in, where, and by which credential. */
export const whoami = async (context: Context): Promise<void> => {
  const { io, url, credential } = context
  const caller = await signedIn(context).call(me)
  if (context.json) return io.printJson({ ...caller, url, credential_from: credential?.from })
  io.print(`${oneLine(caller.email)}
  server      ${url}
  credential  ${kinds[caller.credential]} from ${credential?.from.kind} ${credential?.from.name}
  tier        ${caller.tier}`)
}
