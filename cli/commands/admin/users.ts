import {
  type AdminUser,
  createUser,
  deleteUser,
  disableUser,
  enableUser,
  getUser,
  listUsers,
  resetSecondFactor,
  setUserEmail,
  setUserTier,
} from '../../../shared/contract/admin.ts'
import { isUuid } from '../../../shared/contract/common.ts'
import { changeConfirmed } from '../../confirmed.ts'
import { type Context, signedInClient } from '../../context.ts'
import { definedFields } from '../../defined.ts'
import { quoteWord } from '../../executable.ts'
import { formatLastUse } from '../../format.ts'
import { findItem, type Kind, MAX_PAGE_SIZE, orNotFound } from '../../ids.ts'
import { printFields, printList, printNextPage } from '../../list.ts'
import { oneLine } from '../../output.ts'
import { accountClient } from '../../session.ts'

const formatState = (user: AdminUser): string => {
  if (user.disabled_at !== null) return 'disabled'
  if (user.is_admin) return 'admin'
  return user.email_verified ? 'verified' : 'unverified'
}

interface ListUsersArgs {
  limit?: number
  cursor?: string
  search?: string
}

export const runAdminUsersList = async (context: Context, args: ListUsersArgs): Promise<void> => {
  const { limit, cursor, search } = args
  const response = await signedInClient(context).call(listUsers, {
    query: definedFields({ limit, cursor, q: search }),
  })
  await printList(context, {
    items: response.users,
    columns: {
      STATE: formatState,
      TIER: ({ tier }) => tier,
      'LAST SEEN': ({ last_seen_at }) => formatLastUse(last_seen_at),
      EMAIL: ({ email }) => email,
    },
    empty: 'No users found.',
    response,
  })
  const next = { limit, search, cursor: response.next_cursor ?? undefined }
  printNextPage(context, response.next_cursor !== null, ['admin', 'users', 'list'], next)
}

/** The users with a text in their email address, username or display name. */
export const usersWith = (text: string): Kind<AdminUser> => ({
  noun: 'User',
  command: `svc admin users list --search ${quoteWord(oneLine(text))}`,
  all: async (client) =>
    (await client.call(listUsers, { query: { q: text, limit: MAX_PAGE_SIZE } })).users,
  id: ({ id }) => id,
  names: ({ email, username }) => [email, username],
})

/** The user with an ID, an email address or a username. */
const findUser = (context: Context, typed: string): Promise<AdminUser> => {
  const client = signedInClient(context)
  return isUuid(typed)
    ? client
        .call(getUser, { params: { user_id: typed } })
        .catch(orNotFound('User', typed, 'svc admin users list'))
    : findItem(client, usersWith(typed), typed)
}

export const runAdminUsersShow = async (context: Context, { user: typed }: { user: string }) => {
  const user = await findUser(context, typed)
  printFields(context, user, {
    id: user.id,
    email: user.email,
    username: user.username,
    name: user.display_name,
    state: formatState(user),
    tier: user.tier,
    created: user.created_at,
    'last seen': user.last_seen_at,
    disabled: user.disabled_at,
  })
}

export const runAdminUsersDisable = (
  context: Context,
  { user: typed, reason, yes }: { user: string; reason: string; yes?: boolean },
): Promise<void> =>
  changeConfirmed(context, {
    yes,
    words: ['admin', 'users', 'disable', typed, '--reason', reason],
    find: () => findUser(context, typed),
    question: ({ email }) => `Disable ${oneLine(email)}? Their sessions end.`,
    change: ({ id }) =>
      accountClient(context).call(disableUser, { params: { user_id: id }, body: { reason } }),
    response: ({ id, email }) => ({ id, email, disabled: true }),
    done: ({ email }) => `Disabled ${oneLine(email)}.`,
  })

export const runAdminUsersEnable = async (
  context: Context,
  { user: typed, reason }: { user: string; reason?: string },
): Promise<void> => {
  const { id, email } = await findUser(context, typed)
  const user = await accountClient(context).call(enableUser, {
    params: { user_id: id },
    body: definedFields({ reason }),
  })
  if (context.json) context.io.printJson(user)
  context.io.info(`Enabled ${oneLine(email)}.`)
}

interface ReasonedArgs {
  user: string
  reason: string
  yes?: boolean
}

export const runAdminUsersCreate = async (
  context: Context,
  body: { email: string; reason: string },
): Promise<void> => {
  const user = await accountClient(context).call(createUser, { body })
  if (context.json) context.io.printJson(user)
  context.io.info(`Created ${oneLine(user.email)}, who gets a link to choose a password.`)
}

export const runAdminUsersDelete = (
  context: Context,
  { user: typed, reason, yes }: ReasonedArgs,
): Promise<void> =>
  changeConfirmed(context, {
    yes,
    words: ['admin', 'users', 'delete', typed, '--reason', reason],
    find: () => findUser(context, typed),
    question: ({ email }) => `Delete ${oneLine(email)} and all the data of the account?`,
    change: ({ id }) =>
      accountClient(context).call(deleteUser, { params: { user_id: id }, body: { reason } }),
    response: ({ id, email }) => ({ id, email, deleted: true }),
    done: ({ email }) => `Deleted ${oneLine(email)}.`,
  })

export const runAdminUsersResetSecondFactor = (
  context: Context,
  { user: typed, reason, yes }: ReasonedArgs,
): Promise<void> =>
  changeConfirmed(context, {
    yes,
    words: ['admin', 'users', 'reset-second-factor', typed, '--reason', reason],
    find: () => findUser(context, typed),
    question: ({ email }) =>
      `Remove the second factor and the passkeys of ${oneLine(email)}? Their sessions end.`,
    change: ({ id }) =>
      accountClient(context).call(resetSecondFactor, { params: { user_id: id }, body: { reason } }),
    response: ({ id, email }) => ({ id, email, second_factor: false }),
    done: ({ email }) => `Removed the second factor and the passkeys of ${oneLine(email)}.`,
  })

export const runAdminUsersSetEmail = async (
  context: Context,
  { user: typed, email, reason }: ReasonedArgs & { email: string },
): Promise<void> => {
  const { id, email: former } = await findUser(context, typed)
  const user = await accountClient(context).call(setUserEmail, {
    params: { user_id: id },
    body: { email, reason },
  })
  if (context.json) context.io.printJson(user)
  context.io.info(`${oneLine(former)} has the address ${oneLine(user.email)} now.`)
}

interface SetTierArgs {
  user: string
  tier: AdminUser['tier'] | 'none'
  reason?: string
}

/** Assigns a tier; `none` removes the assignment. */
export const runAdminTierSet = async (context: Context, args: SetTierArgs): Promise<void> => {
  const { id, email } = await findUser(context, args.user)
  const user = await accountClient(context).call(setUserTier, {
    params: { user_id: id },
    body: {
      tier: args.tier === 'none' ? null : args.tier,
      ...definedFields({ reason: args.reason }),
    },
  })
  if (context.json) context.io.printJson(user)
  context.io.info(`${oneLine(email)} has the tier ${user.tier}.`)
}
