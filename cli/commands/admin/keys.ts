import { ApiFailure } from '../../../shared/client.ts'
import {
  listSigningKeys,
  rotateSigningKeys,
  type SigningKeys,
} from '../../../shared/contract/signing-keys.ts'
import { changeConfirmed } from '../../confirmed.ts'
import { type Context, signedInClient } from '../../context.ts'
import { definedFields } from '../../defined.ts'
import { CliError } from '../../errors.ts'
import { formatMinute } from '../../format.ts'
import { printList } from '../../list.ts'
import { oneLine } from '../../output.ts'
import { accountClient } from '../../session.ts'

export const runAdminKeysList = async (context: Context): Promise<void> => {
  const response = await signedInClient(context).call(listSigningKeys)
  const minute = (time: string | null) => time && formatMinute(time)
  await printList(context, {
    items: response.keys,
    columns: {
      STATE: ({ state }) => state,
      'SIGNS FROM': ({ signs_from }) => minute(signs_from),
      'SIGNS UNTIL': ({ signs_until }) => minute(signs_until),
      'TOKENS UNTIL': ({ verifies_until }) => minute(verifies_until),
      KID: ({ kid }) => kid,
    },
    empty: 'No keys.',
    response,
  })
}

interface RotateArgs {
  now?: boolean
  reason?: string
  yes?: boolean
}

/** Publishes the next key. With `now` it also ends the others, which requires a confirmation. */
export const runAdminKeysRotate = async (
  context: Context,
  { now = false, reason, yes }: RotateArgs,
): Promise<void> => {
  let response: SigningKeys = { keys: [] }
  await changeConfirmed(context, {
    yes: yes || !now,
    words: ['admin', 'keys', 'rotate', ...(now ? ['--now'] : []), ...reasonWords(reason)],
    find: () => undefined,
    question: () => 'End the current keys? All access tokens end; clients refresh them.',
    change: async () => {
      const body = definedFields({ now: now || undefined, reason })
      response = await accountClient(context).call(rotateSigningKeys, { body }).catch(adviseToWait)
    },
    response: () => response,
    done: () => summaryOf(response, now),
  })
}

const adviseToWait = (error: unknown): never => {
  if (error instanceof ApiFailure && error.status === 409)
    throw new CliError(
      `${oneLine(error.message)}.`,
      'To see when it signs, run: svc admin keys list. If a key leaked, add --now.',
      { cause: error },
    )
  throw error
}

const reasonWords = (reason: string | undefined) =>
  reason === undefined ? [] : ['--reason', reason]

const summaryOf = ({ keys: [newest] }: SigningKeys, now: boolean): string => {
  if (!newest) return 'Rotated.'
  return now
    ? `The key ${newest.kid} signs now, and the others have ended.`
    : `Published the key ${newest.kid}. It signs from ${formatMinute(newest.signs_from)}.`
}
