import type { Cipher } from '../../../platform/cipher.ts'
import type { Database } from '../../../platform/db/database.ts'
import { defineErrors } from '../../../platform/http/error.ts'
import { defineRetention } from '../../../platform/retention.ts'
import { recordAudit } from '../../users/audit/store.ts'
import { createKeyPair } from './key-pair.ts'
import type { Keyring } from './keyring.ts'
import {
  clockOf,
  endKeysNow,
  endNewestKey,
  eraseEndedKeys,
  hasNextKey,
  insertKey,
  type ListedKey,
  listKeys,
  lockSigningKeys,
  notifyKeys,
} from './store.ts'

/** How long programs may keep the key set. */
export const KEY_SET_SECONDS = 5 * 60
/** Covers the clocks of servers and programs. */
const CLOCK_SKEW_SECONDS = 5 * 60
/** From the publication of a key until it signs: all programs have the key set with it by then. */
const PUBLISH_SECONDS = KEY_SET_SECONDS + CLOCK_SKEW_SECONDS

const signingKeyError = defineErrors({
  rotation_in_progress: {
    status: 409,
    detail: 'The next key is already published and signs soon',
  },
})

interface Rotation {
  userId: string
  ip: string
  reason: string | undefined
  /** Ends the other keys and their tokens at once, because one of them leaked. */
  endsOthers: boolean
}

export type SigningKeyService = ReturnType<typeof createSigningKeyService>

export const createSigningKeyService = (
  database: Database,
  cipher: Pick<Cipher, 'seal'>,
  { keyring, tokenSeconds: lifetime }: { keyring: Pick<Keyring, 'refresh'>; tokenSeconds: number },
) => {
  const tokenSeconds = lifetime + CLOCK_SKEW_SECONDS

  return {
    /** The newest first; ended keys for 90 days. */
    list: (): Promise<ListedKey[]> => listKeys(database.query),

    /**
     * Publishes the next key.
     * @returns all keys.
     * @throws ApiError 409 while there is one that does not sign yet, unless the others are to end.
     */
    async rotate({ userId, ip, reason, endsOthers }: Rotation): Promise<ListedKey[]> {
      const pair = await createKeyPair(cipher)
      const afterSeconds = endsOthers ? 0 : PUBLISH_SECONDS
      await database.db.transaction(async (tx) => {
        const query = database.queryIn(tx)
        await lockSigningKeys(tx)
        const now = await clockOf(query)
        if (endsOthers) await endKeysNow(query, { now })
        else if (await hasNextKey(query)) throw signingKeyError('rotation_in_progress')
        else await endNewestKey(query, { now, afterSeconds, tokenSeconds })
        await insertKey(query, pair, { now, afterSeconds })
        await notifyKeys(query)
        const details = { now: endsOthers, ...(reason && { reason }) }
        await recordAudit(tx, {
          userId,
          ip,
          details,
          action: 'signing_keys.rotated',
          subject: pair.kid,
        })
      })
      await keyring.refresh()
      return listKeys(database.query)
    },
  }
}

export const signingKeyRetention = defineRetention({
  name: 'signing_keys',
  run: ({ query }) => eraseEndedKeys(query),
})
