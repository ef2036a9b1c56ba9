import { isUuid } from '../../../shared/contract/common.ts'
import { type Database, type Db, isUniqueViolation } from '../../platform/db/database.ts'
import { lockProvisioning } from '../../platform/db/locks.ts'
import {
  checkRequired,
  GROUP_ATTRIBUTES,
  listOf,
  readDocument,
  type ScimAttributes,
  textOf,
} from './documents.ts'
import { badRequest, notFound, notUnique, ScimError } from './errors.ts'
import {
  countGroupMembers,
  countScimGroups,
  deleteGroupMembers,
  deleteScimGroup,
  findScimGroup,
  type GroupMember,
  insertGroupMembers,
  insertScimGroup,
  listGroupMembers,
  listScimGroups,
  updateScimGroup,
} from './groups-store.ts'
import { applyPatch } from './patch.ts'
import type { Provisioning } from './provisioning.ts'
import { checkMatch, type Precondition, resourceOf, type ScimResources } from './resources.ts'
import type { ScimGroupRow } from './table.ts'
import type { ScimActor } from './tokens.ts'

const MAX_GROUPS = 1_000
/** As many as one group can have. */
const MAX_MEMBERS_OF_PAGE = 10_000

/** The groups that the identity provider of an organization pushes. They give no rights: owners give roles. */
export const createScimGroups = (
  { db }: Database,
  provisioning: Pick<Provisioning, 'lockOrg'>,
  baseUrl: string,
): ScimResources => {
  const present = (row: ScimGroupRow, members: GroupMember[]) =>
    resourceOf('Group', row, documentOf(row, members), baseUrl)

  /** Serializes the changes of an organization. */
  const changing = <T>({ orgId }: ScimActor, work: (tx: Db) => Promise<T>): Promise<T> =>
    db
      .transaction(async (tx) => {
        await lockProvisioning(tx, orgId)
        await provisioning.lockOrg(tx, orgId)
        return work(tx)
      })
      .catch((error) => {
        if (!isUniqueViolation(error)) throw error
        throw notUnique('Another group of the organization has this displayName')
      })

  const find = async (tx: Db, { orgId }: ScimActor, id: string) => {
    const row = await findScimGroup(tx, orgId, id)
    if (!row) throw notFound()
    return { row, members: await listGroupMembers(tx, [id]) }
  }

  const change = (
    actor: ScimActor,
    id: string,
    match: Precondition,
    edit: (document: ScimAttributes) => ScimAttributes,
  ) =>
    changing(actor, async (tx) => {
      const { row, members } = await find(tx, actor, id)
      checkMatch(row, match)
      const document = edit(documentOf(row, members))
      const columns = columnsOf(document)
      const isMoved = await changeMembers(tx, row, members, memberIds(document))
      const isRenamed =
        columns.displayName !== row.displayName || columns.externalId !== row.externalId
      if (isMoved || isRenamed) await updateScimGroup(tx, actor.orgId, id, columns)
      const after = await find(tx, actor, id)
      return present(after.row, after.members)
    })

  return {
    type: 'Group',

    async list({ orgId }, page) {
      const { total, rows: found } = await listScimGroups(db, orgId, page)
      const rows = page.withoutMembers ? found : await withinMembers(db, found)
      const ids = rows.map(({ id }) => id)
      const members = page.withoutMembers || !ids.length ? [] : await listGroupMembers(db, ids)
      const byGroup = Map.groupBy(members, ({ groupId }) => groupId)
      return { total, resources: rows.map((row) => present(row, byGroup.get(row.id) ?? [])) }
    },

    async read(actor, id) {
      const { row, members } = await find(db, actor, id)
      return present(row, members)
    },

    create: (actor, body) =>
      changing(actor, async (tx) => {
        const { orgId } = actor
        const document = readDocument(GROUP_ATTRIBUTES, body)
        if ((await countScimGroups(tx, orgId)) >= MAX_GROUPS)
          throw new ScimError(409, `There can be ${MAX_GROUPS} groups at most`)
        const columns = columnsOf(document)
        const row = await insertScimGroup(tx, { id: Bun.randomUUIDv7(), orgId, ...columns })
        await changeMembers(tx, row, [], memberIds(document))
        return present(row, await listGroupMembers(tx, [row.id]))
      }),

    replace: (actor, id, body, match) =>
      change(actor, id, match, () => readDocument(GROUP_ATTRIBUTES, body)),

    patch: (actor, id, body, match) =>
      change(actor, id, match, (document) => applyPatch(GROUP_ATTRIBUTES, document, body)),

    delete: (actor, id, match) =>
      changing(actor, async (tx) => {
        checkMatch((await find(tx, actor, id)).row, match)
        await deleteScimGroup(tx, actor.orgId, id)
      }),
  }
}

/** The first groups of a page whose members are few enough together, at least one: clients ask for the rest. */
const withinMembers = async (db: Db, rows: ScimGroupRow[]): Promise<ScimGroupRow[]> => {
  if (rows.length < 2) return rows
  const counts = await countGroupMembers(
    db,
    rows.map(({ id }) => id),
  )
  let members = 0
  const end = rows.findIndex(({ id }, i) => {
    members += counts.get(id) ?? 0
    return i > 0 && members > MAX_MEMBERS_OF_PAGE
  })
  return end < 0 ? rows : rows.slice(0, end)
}

/**
 * @returns whether the members have changed.
 * @throws ScimError 400 `invalidValue` for an id that is no user of the organization.
 */
const changeMembers = async (
  tx: Db,
  { orgId, id }: ScimGroupRow,
  members: GroupMember[],
  ids: Set<string>,
): Promise<boolean> => {
  const before = new Set(members.map(({ scimUserId }) => scimUserId))
  const added = [...ids.difference(before)]
  const removed = [...before.difference(ids)]
  if (added.length && (await insertGroupMembers(tx, orgId, id, added)) < added.length)
    throw unknownMember()
  if (removed.length) await deleteGroupMembers(tx, id, removed)
  return added.length + removed.length > 0
}

const unknownMember = () =>
  badRequest('invalidValue', 'A value of members is not the id of a user of the organization')

const documentOf = (
  { displayName, externalId }: ScimGroupRow,
  members: GroupMember[],
): ScimAttributes => ({
  displayName,
  ...(externalId !== null && { externalId }),
  ...(members.length && {
    members: members.map(({ scimUserId, userName }) => ({ value: scimUserId, display: userName })),
  }),
})

const columnsOf = (document: ScimAttributes) => {
  checkRequired(GROUP_ATTRIBUTES, document)
  return {
    displayName: textOf(document, 'displayName') ?? '',
    externalId: textOf(document, 'externalId') ?? null,
  }
}

/** @throws ScimError 400 `invalidValue`. */
const memberIds = (document: ScimAttributes): Set<string> => {
  const ids = listOf(document, 'members').map(({ value }) => String(value).toLowerCase())
  if (!ids.every(isUuid)) throw unknownMember()
  return new Set(ids)
}
