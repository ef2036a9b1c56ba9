import {
  addPasskey,
  listPasskeys,
  removePasskey,
  renamePasskey,
  startPasskeyRegistration,
} from '../../../../shared/contract/index.ts'
import type {
  AddPasskey,
  Passkey,
  PasskeyRegistration,
} from '../../../../shared/contract/passkeys.ts'
import type { Database, Db } from '../../../platform/db/database.ts'
import type { Caller } from '../../../platform/http/caller.ts'
import type { RequestClient } from '../../../platform/http/context.ts'
import type { Mount } from '../../../platform/http/route.ts'
import { checkRowLimit, type RowLimit } from '../../../platform/row-limit.ts'
import type { SessionService } from '../../access/sessions/service.ts'
import { checkFactorUsed } from '../../organizations/policies/check.ts'
import { recordAudit } from '../../users/audit/store.ts'
import { lockForSignIn, lockSignInMethods } from '../../users/store.ts'
import { checkEnabled } from '../../users/user.ts'
import { signInError } from '../errors.ts'
import type { PasskeyCeremonies } from './ceremonies.ts'
import { passkeyError } from './errors.ts'
import {
  consumePasskeyChallenge,
  deletePasskey,
  findPasskeys,
  insertPasskey,
  updatePasskeyName,
} from './store.ts'
import { type PasskeyRow, passkeys } from './table.ts'

/** The list of passkeys has no pages, and each is named in the options of a registration. */
const ROW_LIMIT: RowLimit = { table: passkeys, max: 50, name: 'passkeys' }

/** The passkeys of an account. */
export type PasskeyService = ReturnType<typeof createPasskeyService>

export const createPasskeyService = (
  { db }: Database,
  ceremonies: PasskeyCeremonies,
  {
    sessions,
    hasConnections,
  }: {
    sessions: Pick<SessionService, 'proveFactor'>
    hasConnections: (tx: Db, userId: string) => Promise<boolean>
  },
) => ({
  async list({ userId }: Caller): Promise<Passkey[]> {
    return (await findPasskeys(db, userId)).map(present)
  },

  /** @throws ApiError 409 when the server has no host name. */
  async startRegistration({ userId, me }: Caller): Promise<PasskeyRegistration> {
    const existing = await findPasskeys(db, userId)
    return { options: await ceremonies.registrationOptions({ ...me, id: userId }, existing) }
  },

  /**
   * @throws ApiError 400 for a response that is not valid and for a challenge that has ended, 409 for a
   * passkey that an account has, and for too many.
   */
  async add(
    caller: Caller,
    { name, response }: AddPasskey,
    { ip }: RequestClient,
  ): Promise<Passkey> {
    const { userId, sessionId } = caller
    const { challenge, ...credential } = await ceremonies.verifyRegistration(userId, response)
    return db.transaction(async (tx) => {
      const user = await lockForSignIn(tx, userId)
      if (user) checkEnabled(user)
      await checkFactorUsed(tx, caller)
      await checkRowLimit(tx, userId, ROW_LIMIT)
      if (!(await consumePasskeyChallenge(tx, challenge.id, challenge.expiresAt)))
        throw passkeyError('passkey_challenge_ended')
      const id = Bun.randomUUIDv7()
      const row = await insertPasskey(tx, { id, userId, name, ...credential })
      if (!row) throw passkeyError('passkey_exists')
      await recordAudit(tx, { userId, action: 'passkey.added', subject: id, ip, details: { name } })
      if (sessionId) await sessions.proveFactor(tx, sessionId, 'passkey')
      return present(row)
    })
  },

  /** @throws ApiError 404 for no such passkey. */
  async rename({ userId }: Caller, id: string, name: string): Promise<Passkey> {
    const row = await updatePasskeyName(db, userId, id, name)
    if (!row) throw passkeyError('passkey_not_found')
    return present(row)
  },

  /** @throws ApiError 404 for no such passkey, 400 for the last sign-in method. */
  remove(caller: Caller, id: string, { ip }: RequestClient): Promise<void> {
    const { userId } = caller
    return db.transaction(async (tx) => {
      const hasPassword = await lockSignInMethods(tx, userId)
      await checkFactorUsed(tx, caller)
      const rows = await findPasskeys(tx, userId)
      const passkey = rows.find((row) => row.id === id.toLowerCase())
      if (!passkey) throw passkeyError('passkey_not_found')
      if (!hasPassword && rows.length === 1 && !(await hasConnections(tx, userId)))
        throw signInError('last_sign_in_method')
      await deletePasskey(tx, userId, passkey.id)
      const details = { name: passkey.name }
      await recordAudit(tx, { userId, action: 'passkey.removed', subject: passkey.id, ip, details })
    })
  },
})

const present = (row: PasskeyRow): Passkey => ({
  id: row.id,
  name: row.name,
  is_synced: row.isSynced,
  created_at: row.createdAt.toISOString(),
  last_used_at: row.lastUsedAt?.toISOString() ?? null,
})

export const passkeyRoutes = (mount: Mount, service: PasskeyService): void => {
  mount(listPasskeys, ({ caller }) => service.list(caller))
  mount(startPasskeyRegistration, ({ caller }) => service.startRegistration(caller))
  mount(addPasskey, ({ caller, body, client }) => service.add(caller, body, client))
  mount(renamePasskey, ({ caller, params, body }) =>
    service.rename(caller, params.passkey_id, body.name),
  )
  mount(removePasskey, async ({ caller, params, client }) => {
    await service.remove(caller, params.passkey_id, client)
    return undefined
  })
}
