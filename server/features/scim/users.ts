import { isDeepStrictEqual } from 'node:util'
import { consumeInviteLimits } from '../../account/organizations/invites/service.ts'
import { emailProblem, normalizeEmail } from '../../account/users/email-address.ts'
import { type Database, type Db, isUniqueViolation } from '../../platform/db/database.ts'
import { lockProvisioning } from '../../platform/db/locks.ts'
import { DAY_SECONDS, defineLimit, type Limiter } from '../../platform/http/limits.ts'
import {
  checkRequired,
  listOf,
  readDocument,
  type ScimAttributes,
  textOf,
  USER_ATTRIBUTES,
} from './documents.ts'
import { badRequest, notFound, notUnique, ScimError } from './errors.ts'
import { applyPatch } from './patch.ts'
import type { Provisioned, Provisioning } from './provisioning.ts'
import { checkMatch, type Precondition, resourceOf, type ScimResources } from './resources.ts'
import type { ScimUserRow } from './table.ts'
import type { ScimActor } from './tokens.ts'
import {
  countScimUsers,
  deleteScimUser,
  findScimUser,
  findScimUserOf,
  insertScimUser,
  listScimUsers,
  updateScimUser,
} from './users-store.ts'

const MAX_USERS = 10_000

/** An account that SCIM creates stays, disabled, when its user is deleted. */
export const scimAccounts = defineLimit({
  name: 'scim_accounts',
  per: 'text',
  points: MAX_USERS,
  windowSeconds: DAY_SECONDS,
  exceeded: 'Too many new users',
})

interface ScimUserDeps {
  database: Database
  limiter: Limiter
  provisioning: Provisioning
  baseUrl: string
}

/** The users that the identity provider of an organization provisions. */
export const createScimUsers = (deps: ScimUserDeps): ScimResources => {
  const { limiter, provisioning, baseUrl } = deps
  const { db } = deps.database

  const lockAll = createLocks(provisioning)
  const follow = createFollowing(provisioning)

  const present = (row: ScimUserRow) => resourceOf('User', row, documentOf(row), baseUrl)

  /** An account may be created for the address, or an invite mailed to it. @throws ApiError 429. */
  const consumeLimits = async ({ orgId, createdBy }: ScimActor, email: string): Promise<void> => {
    if (await provisioning.ownsAddress(db, orgId, email))
      return limiter.consume(scimAccounts, orgId)
    await consumeInviteLimits(limiter, createdBy ?? orgId, orgId, email)
  }

  const change = async (
    actor: ScimActor,
    id: string,
    match: Precondition,
    edit: (document: ScimAttributes) => ScimAttributes,
  ) => {
    const { orgId } = actor
    const known = await findScimUser(db, orgId, id)
    if (!known) throw notFound()
    const planned = columnsOf(edit(documentOf(known)))
    const mayInvite = planned.isActive && (!known.isActive || planned.email !== known.email)
    if (mayInvite) await consumeLimits(actor, planned.email)
    const row = await db.transaction(async (tx) => {
      const before = await lockUser(tx, actor, id, match)
      const columns = columnsOf(edit(documentOf(before)))
      const { account, org } = await lockAll(tx, actor, {
        ...before,
        email: columns.email,
        isActive: columns.isActive,
      })
      // A user whom a person invited again is a member, although SCIM has deactivated them.
      const isStray =
        !columns.isActive &&
        account !== undefined &&
        (await provisioning.isMember(tx, orgId, account.id))
      if (!isStray && isDeepStrictEqual(columns, columnsOf(documentOf(before)))) return before
      await updateScimUser(tx, orgId, id, columns)
      const row = await requireUser(tx, orgId, id)
      await follow(tx, { actor, org, row, account }, { before, isStray })
      return requireUser(tx, orgId, id)
    })
    return present(row)
  }

  return {
    type: 'User',

    async list({ orgId }, page) {
      const { total, rows } = await listScimUsers(db, orgId, page)
      return { total, resources: rows.map(present) }
    },

    async read({ orgId }, id) {
      const row = await findScimUser(db, orgId, id)
      if (!row) throw notFound()
      return present(row)
    },

    async create(actor, body) {
      const { orgId } = actor
      const columns = columnsOf({ active: true, ...readDocument(USER_ATTRIBUTES, body) })
      if (columns.isActive) await consumeLimits(actor, columns.email)
      const row = await uniquely(() =>
        db.transaction(async (tx) => {
          await lockProvisioning(tx, orgId)
          const { account, org } = await lockAll(tx, actor, { ...columns, userId: null })
          if ((await countScimUsers(tx, orgId)) >= MAX_USERS)
            throw new ScimError(409, `There can be ${MAX_USERS} users at most`)
          const created = await insertScimUser(tx, { id: Bun.randomUUIDv7(), orgId, ...columns })
          const user = { actor, org, row: created, account }
          await (created.isActive ? provisioning.activate : provisioning.deactivate)(tx, user)
          return requireUser(tx, orgId, created.id)
        }),
      )
      return present(row)
    },

    replace: (actor, id, body, match) =>
      uniquely(() =>
        change(actor, id, match, (document) => ({
          // Clients that leave it out do not decide about it.
          active: document.active ?? true,
          ...readDocument(USER_ATTRIBUTES, body),
        })),
      ),

    patch: (actor, id, body, match) =>
      uniquely(() =>
        change(actor, id, match, (document) => ({
          active: document.active ?? true,
          ...applyPatch(USER_ATTRIBUTES, document, body),
        })),
      ),

    async delete(actor, id, match) {
      await db.transaction(async (tx) => {
        const row = await lockUser(tx, actor, id, match)
        const { account, org } = await lockAll(tx, actor, { ...row, isActive: false })
        await provisioning.deactivate(tx, { actor, org, row, account })
        await deleteScimUser(tx, actor.orgId, id)
      })
    },
  }
}

/** Finds a user, once no other request provisions users. @throws ScimError 404, 412. */
const lockUser = async (tx: Db, { orgId }: ScimActor, id: string, match: Precondition) => {
  await lockProvisioning(tx, orgId)
  const row = await findScimUser(tx, orgId, id)
  if (!row) throw notFound()
  checkMatch(row, match)
  return row
}

/** Locks the account of a user, and then the organization. @throws ScimError 409, 503. */
const createLocks =
  (provisioning: Pick<Provisioning, 'lockAccount' | 'lockOrg'>) =>
  async (
    tx: Db,
    { orgId }: ScimActor,
    user: Pick<ScimUserRow, 'userId' | 'email' | 'isActive'> & { id?: string },
  ) => {
    const found = await provisioning.lockAccount(tx, user)
    const org = await provisioning.lockOrg(tx, orgId)
    // The address may be that of a user who got another one at the identity provider.
    const linked = found && !user.userId && (await findScimUserOf(tx, orgId, found.id))
    if (linked && user.isActive)
      throw notUnique(`The account with this address belongs to the SCIM user ${linked.userName}`)
    const account = linked ? undefined : found
    // An invite may have been accepted before the lock of the organization.
    const row = user.id === undefined ? undefined : await findScimUser(tx, orgId, user.id)
    if (row && row.userId !== user.userId)
      throw new ScimError(503, 'The user was changed by another request; try again', undefined, {
        headers: { 'retry-after': '1' },
      })
    return { account, org }
  }

/** Provisions a user that has changed. */
const createFollowing =
  (provisioning: Provisioning) =>
  async (
    tx: Db,
    user: Provisioned,
    { before, isStray }: { before: ScimUserRow; isStray: boolean },
  ): Promise<void> => {
    const { row: after, account } = user
    const isMoved = before.email !== after.email && !before.userId
    if (isStray || (before.isActive && (!after.isActive || isMoved)))
      await provisioning.deactivate(tx, {
        ...user,
        row: before,
        // The account of the new address is another one.
        account: isMoved ? undefined : account,
      })
    if (after.isActive && (!before.isActive || isMoved)) await provisioning.activate(tx, user)
    await provisioning.rename(tx, user)
    if (before.email !== after.email) await provisioning.readdress(tx, user)
  }

const requireUser = async (tx: Db, orgId: string, id: string): Promise<ScimUserRow> => {
  const row = await findScimUser(tx, orgId, id)
  if (!row) throw notFound()
  return row
}

/** @throws ScimError 409 `uniqueness`. */
const uniquely = <T>(work: () => Promise<T>): Promise<T> =>
  work().catch((error) => {
    if (!isUniqueViolation(error)) throw error
    throw notUnique('Another user of the organization has this userName or email address')
  })

const documentOf = ({
  userName,
  externalId,
  isActive,
  attributes,
}: ScimUserRow): ScimAttributes => ({
  userName,
  ...(externalId !== null && { externalId }),
  ...attributes,
  active: isActive,
})

/** @throws ScimError 400 `invalidValue`. */
const columnsOf = (document: ScimAttributes) => {
  checkRequired(USER_ATTRIBUTES, document)
  const { userName: _userName, externalId: _externalId, active, ...attributes } = document
  const emails = listOf(document, 'emails').filter(({ value }) => value !== undefined)
  const { emails: _emails, ...others } = attributes
  return {
    userName: textOf(document, 'userName') ?? '',
    externalId: textOf(document, 'externalId') ?? null,
    email: primaryAddress(document),
    isActive: active !== false,
    attributes: { ...others, ...(emails.length && { emails }) },
  }
}

/** The primary address, else one for work, else the first one, else the userName. */
const primaryAddress = (document: ScimAttributes): string => {
  const emails = listOf(document, 'emails').filter(({ value }) => value !== undefined)
  const chosen =
    emails.find(({ primary }) => primary === true) ??
    emails.find(({ type }) => String(type).toLowerCase() === 'work') ??
    emails[0]
  const email = normalizeEmail(String(chosen?.value ?? textOf(document, 'userName') ?? ''))
  if (emailProblem(email))
    throw badRequest(
      'invalidValue',
      'The user needs a valid email address, in emails or as userName',
    )
  return email
}
