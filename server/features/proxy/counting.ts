import { createHash } from 'node:crypto'
import type { Caller } from '../../platform/http/caller.ts'
import { DAY_SECONDS, defineLimit, HOUR_SECONDS, type Limiter } from '../../platform/http/limits.ts'
import type { UsageReceipt, UsageService } from '../../usage/counts/service.ts'

/**
 * Requests without a message of a person: those that programs send for themselves, and embeddings. They are
 * recognized by what the client sends, so each beyond the limit counts as a message.
 */
export const sideRequestLimit = defineLimit({
  name: 'proxy_side_requests',
  per: 'user',
  points: 1_000,
  windowSeconds: HOUR_SECONDS,
})

/** Requests after the first one of a turn, such as those with results of tools. Each beyond counts as a message. */
export const turnRequestLimit = defineLimit({
  name: 'proxy_turn_requests',
  per: 'text',
  points: 1_000,
  windowSeconds: DAY_SECONDS,
})

export type ProxyCounting = ReturnType<typeof createProxyCounting>

export const createProxyCounting = (
  usage: Pick<UsageService, 'consume' | 'refund'>,
  limiter: Pick<Limiter, 'allows'>,
) => {
  /** Counts a message of a person. @throws ApiError 429 when the month's messages are used up. */
  const message = ({ userId }: Caller): Promise<UsageReceipt> => usage.consume(userId, 'messages')
  return {
    message,

    /**
     * Counts a request that is none, where it is beyond the limit.
     * @param turn identifies the turn that it belongs to.
     * @throws ApiError 429 when the month's messages are used up.
     */
    async other(caller: Caller, turn?: string): Promise<UsageReceipt | undefined> {
      const isIncluded =
        turn === undefined
          ? await limiter.allows(sideRequestLimit, caller.userId)
          : await limiter.allows(turnRequestLimit, hashOf(`${caller.userId} ${turn}`))
      return isIncluded ? undefined : message(caller)
    },
    refund: (receipt: UsageReceipt): Promise<void> => usage.refund(receipt),
  }
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')
