import type { Client } from '../../../shared/client.ts'
import {
  DirectMessage,
  type DirectThread,
  listDirectMessages,
  listDirectThreads,
  readDirectThread,
  sendDirectMessage,
  startDirectThread,
} from '../../../shared/contract/dm.ts'
import { withHint } from '../../api-errors.ts'
import { type Context, signedInClient } from '../../context.ts'
import { definedFields } from '../../defined.ts'
import type { StatusPart } from '../../feature.ts'
import { formatMinute } from '../../format.ts'
import { allInPages, findItem, type Kind, MAX_PAGE_SIZE } from '../../ids.ts'
import { readMessageInput } from '../../input.ts'
import { printList, printNextPage } from '../../list.ts'
import { type Io, oneLine, stripControls } from '../../output.ts'

interface PageArgs {
  limit?: number
  before?: string
}

const DEFAULT_LIMIT = 30

/** The threads of the user by ID or by the other user, archived ones too. */
export const threads: Kind<DirectThread> = {
  noun: 'Thread',
  command: 'svc messages list --archived',
  all: (client) =>
    allInPages(
      (page) => client.call(listDirectThreads, { query: { include_archived: true, ...page } }),
      ({ thread_id }) => thread_id,
    ),
  id: ({ thread_id }) => thread_id,
  names: ({ peer_username }) => [peer_username, `@${peer_username}`],
}

/** Lists the threads, most recent message first. */
export const runMessagesList = async (
  context: Context,
  args: PageArgs & { archived?: boolean },
): Promise<void> => {
  const { limit = DEFAULT_LIMIT, before, archived } = args
  const query = { limit, ...definedFields({ before, include_archived: archived }) }
  const page = await signedInClient(context).call(listDirectThreads, { query })
  await printList(context, {
    items: page,
    columns: {
      USER: ({ peer_username }) => `@${peer_username}`,
      UNREAD: ({ unread }) => unread,
      CHANGED: ({ last_message_at }) => formatMinute(last_message_at),
      MESSAGE: ({ last_message }) => last_message?.content ?? '',
    },
    empty: 'No messages. To send one, run: svc messages send USERNAME "…"',
  })
  const next = { limit: args.limit, archived, before: page.at(-1)?.thread_id }
  printNextPage(context, page.length === limit, ['messages', 'list'], next)
}

/** Prints the last messages of a thread, oldest first, and marks it as read. */
export const runMessagesRead = async (
  context: Context,
  { user, ...args }: PageArgs & { user: string },
): Promise<void> => {
  const { io } = context
  const client = signedInClient(context)
  const thread = await findItem(client, threads, user)
  const params = { thread_id: thread.thread_id }
  const { limit = DEFAULT_LIMIT, before } = args
  const query = { limit, ...definedFields({ before }) }
  const messages = await client.call(listDirectMessages, { params, query })
  io.willPrint([...Object.keys(thread), 'messages'])
  if (before === undefined) await client.call(readDirectThread, { params })
  if (context.json) return io.printJson({ ...thread, messages })
  if (messages.length === 0) return io.info('No messages in this thread.')
  await io.page(messages.map((message) => block(message, io)).join('\n\n'))
  const next = { limit: args.limit, before: messages[0]?.id }
  printNextPage(context, messages.length === limit, ['messages', 'read', user], next)
}

const block = ({ author_username, created_at, content }: DirectMessage, io: Io): string =>
  `${io.dim(oneLine(`@${author_username} · ${formatMinute(created_at)}`))}\n${stripControls(content).trimEnd()}`

/** Sends a message to a user and prints its ID. */
export const runMessagesSend = async (
  context: Context,
  { user, text }: { user: string; text: string[] },
): Promise<void> => {
  const { io } = context
  const client = signedInClient(context)
  io.willPrint(Object.keys(DirectMessage.properties))
  const content = await readMessageInput(text, io, 'svc messages send ada "Lunch at one?"')
  const { thread_id, peer_username } = await client
    .call(startDirectThread, { body: { username: user } })
    .catch(withHint([404], 'To list the users you wrote with, run: svc messages list'))
  const message = await client.call(sendDirectMessage, { params: { thread_id }, body: { content } })
  if (context.json) io.printJson(message)
  else io.print(message.id)
  io.info(`Sent to @${oneLine(peer_username)}.`)
}

/** The unread messages in `svc status`. */
export const readStatus = async (client: Client): Promise<StatusPart> => {
  const threads = await client.call(listDirectThreads, { query: { limit: MAX_PAGE_SIZE } })
  const unread = threads.reduce((sum, each) => sum + each.unread, 0)
  return {
    fields: { unread_messages: unread },
    lines: { unread: `${unread} direct ${unread === 1 ? 'message' : 'messages'}` },
    hints: unread ? ['To list the messages, run: svc messages list'] : [],
  }
}
