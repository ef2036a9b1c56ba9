import { createStateCodec } from '../../mcp/server.ts'
import type { StateCodec } from '../../mcp/tools/person.ts'
import type { Caller } from '../platform/http/caller.ts'
import type { DerivedKeys } from '../platform/secrets/derived-keys.ts'

/**
 * Seals the state of a question to the user and the organization that the caller acts in, so that any
 * replica accepts the answer, and none accepts that of another user. Keys of the previous secret still
 * verify. A state is valid for ten minutes.
 */
export const stateCodec = (keys: DerivedKeys, { userId, ownerId }: Caller): StateCodec => {
  const bind = () => `${userId}\0${ownerId}`
  const [current, ...previous] = keys.map((key) => createStateCodec(key, bind))
  if (!current) throw new Error('there is no key')
  return {
    mint: current.mint,
    async verify(state, context) {
      for (const codec of previous) {
        const found = await codec.verify(state, context).catch(() => undefined)
        if (found) return found
      }
      return current.verify(state, context)
    },
  }
}
