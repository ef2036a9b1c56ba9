import { revokeKey } from '../../../shared/contract/keys.ts'
import { changeConfirmed } from '../../confirmed.ts'
import type { Context } from '../../context.ts'
import { findItem } from '../../find.ts'
import { oneLine } from '../../output.ts'
import { sessionClient } from '../../session.ts'
import { keys, titleOf } from './ids.ts'

interface RevokeKeyArgs {
  id: string
  yes?: boolean
}

/** Revokes a key after confirmation. */
export const runKeysRevoke = (context: Context, { id: typed, yes }: RevokeKeyArgs): Promise<void> =>
  changeConfirmed(context, {
    yes,
    words: ['keys', 'revoke', typed],
    async find() {
      const client = await sessionClient(context)
      return { client, key: await findItem(client, keys, typed) }
    },
    question: ({ key }) => `Revoke the key ${oneLine(titleOf(key))}?`,
    change: ({ client, key }) => client.call(revokeKey, { params: { key_id: key.id } }),
    response: ({ key: { id, name } }) => ({ id, name, revoked: true }),
    done: ({ key }) => `Revoked the key ${oneLine(titleOf(key))}.`,
  })
