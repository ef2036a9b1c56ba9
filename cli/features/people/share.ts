import {
  createShare,
  deleteShare,
  listShares,
  type OwnShare,
} from '../../../shared/contract/shares.ts'
import { commandLine } from '../../command-line.ts'
import { findSession, messageIds } from '../../commands/sessions/ids.ts'
import { changeConfirmed } from '../../confirmed.ts'
import { type Context, signedInClient } from '../../context.ts'
import { definedFields } from '../../defined.ts'
import { allInPages, type Kind, notFoundError, resolveId } from '../../ids.ts'
import { printList, printNextPage } from '../../list.ts'
import { oneLine } from '../../output.ts'

/** Shares a chat session, or its messages up to one, and prints the link. */
export const runShareCreate = async (
  context: Context,
  { session, until }: { session: string; until?: string },
): Promise<void> => {
  const { id, title } = await findSession(context, session)
  const client = signedInClient(context)
  const message_id = until && (await resolveId(until, messageIds(client, id)))
  const share = await client.call(createShare, {
    body: { session_id: id, ...definedFields({ message_id }) },
  })
  if (context.json) context.io.printJson(share)
  else context.io.print(oneLine(share.url))
  context.io.info(
    `Shared “${oneLine(title)}”. Everyone with this link can read it.\nTo revoke it, run: ${commandLine(context, ['share', 'revoke', oneLine(share.url)], {})}`,
  )
}

interface ListSharesArgs {
  limit?: number
  before?: string
}

const DEFAULT_LIMIT = 30

export const runShareList = async (context: Context, args: ListSharesArgs): Promise<void> => {
  const { limit = DEFAULT_LIMIT, before } = args
  const query = { limit, ...definedFields({ before }) }
  const shares = await signedInClient(context).call(listShares, { query })
  await printList(context, {
    items: shares,
    columns: {
      TOKEN: ({ token }) => token,
      CREATED: ({ created_at }) => created_at.slice(0, 10),
      MESSAGES: ({ message_count }) => message_count,
      TITLE: ({ title }) => title,
    },
    empty: 'No shares. To share a conversation, run: svc share create last',
  })
  printNextPage(context, shares.length === limit, ['share', 'list'], {
    limit: args.limit,
    before: shares.at(-1)?.token,
  })
}

/** The shares of the user. They have no other id than their token. */
export const shares: Kind<OwnShare> = {
  noun: 'Share',
  command: 'svc share list',
  all: (client) =>
    allInPages(
      (query) => client.call(listShares, { query }),
      ({ token }) => token,
    ),
  id: ({ token }) => token,
  names: ({ token, title }) => [token, title],
}

/** The share with a token or link. */
const findShare = async (context: Context, typed: string): Promise<OwnShare> => {
  const token = URL.parse(typed)?.pathname.split('/').at(-1) ?? typed
  const found = (await shares.all(signedInClient(context))).find((share) => share.token === token)
  if (!found) throw notFoundError(shares.noun, typed, shares.command)
  return found
}

export const runShareRevoke = (
  context: Context,
  { share: typed, yes }: { share: string; yes?: boolean },
): Promise<void> =>
  changeConfirmed(context, {
    yes,
    words: ['share', 'revoke', typed],
    find: () => findShare(context, typed),
    question: ({ title }) => `Revoke the share of “${oneLine(title)}”? Its link stops working.`,
    change: ({ token }) => signedInClient(context).call(deleteShare, { params: { token } }),
    response: (share) => ({ ...share, revoked: true }),
    done: ({ title }) => `Revoked the share of “${oneLine(title)}”.`,
  })
