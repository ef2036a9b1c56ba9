import type { Client } from '../../shared/client.ts'
import {
  type CaptureSession,
  deleteCapture,
  listCaptures,
  restoreCapture,
} from '../../shared/contract/capture.ts'
import { assistantName } from '../../shared/origin.ts'
import { commandLine } from '../command-line.ts'
import { changeConfirmed } from '../confirmed.ts'
import { type Context, signedInClient } from '../context.ts'
import { definedFields } from '../defined.ts'
import { CliError, usageError } from '../errors.ts'
import { formatMemoryCount, formatMinute } from '../format.ts'
import { type Kind, MAX_PAGE_SIZE, notFoundError } from '../ids.ts'
import { printList, printNextPage } from '../list.ts'
import { oneLine } from '../output.ts'

const DEFAULT_LIMIT = 30
const LIST = 'svc captures list'

/** For completion: the conversations of the first page. */
const latest = async (client: Client): Promise<CaptureSession[]> =>
  (await client.call(listCaptures, { query: { limit: MAX_PAGE_SIZE } })).sessions

export const captures: Kind<CaptureSession> = {
  noun: 'Captured conversation',
  command: LIST,
  all: latest,
  id: ({ session }) => session,
  names: ({ session, client, project }) => [session, project ?? client],
}

export const captureClients: Kind<string> = {
  noun: 'Assistant',
  command: LIST,
  all: async (client) => [...new Set((await latest(client)).map((each) => each.client))],
  id: (name) => name,
  names: (name) => [name, assistantName(name)],
}

interface CapturePage {
  sessions: CaptureSession[]
  next_cursor: string | null
}

interface ListCapturesArgs {
  client?: string
  limit?: number
  cursor?: string
}

/** Lists captured conversations, the latest first. A limit above one page needs several requests. */
const collectCaptures = async (
  client: Client,
  { client: assistant, limit = Number.POSITIVE_INFINITY, ...start }: ListCapturesArgs,
  isEnough: (sessions: CaptureSession[]) => boolean = () => false,
): Promise<CapturePage> => {
  const sessions: CaptureSession[] = []
  let { cursor } = start
  do {
    const page = await client.call(listCaptures, {
      query: definedFields({
        limit: Math.min(MAX_PAGE_SIZE, limit - sessions.length),
        cursor,
        client: assistant,
      }),
    })
    sessions.push(...page.sessions)
    cursor = page.next_cursor ?? undefined
  } while (cursor && sessions.length < limit && !isEnough(sessions))
  return { sessions, next_cursor: cursor ?? null }
}

export const runCapturesList = async (context: Context, args: ListCapturesArgs): Promise<void> => {
  const { client, limit = DEFAULT_LIMIT, cursor } = args
  const page = await collectCaptures(
    signedInClient(context),
    definedFields({ client, limit, cursor }),
  )
  await printList(context, {
    items: page.sessions,
    columns: {
      LAST: ({ last_at }) => formatMinute(last_at),
      CLIENT: (each) => each.client,
      PROJECT: ({ project }) => project,
      MEMORIES: ({ memories, deleted }) => (deleted ? `${memories}, ${deleted} deleted` : memories),
      SESSION: ({ session }) => session,
    },
    minor: ['MEMORIES', 'CLIENT'],
    empty:
      client === undefined
        ? 'No conversation was captured.'
        : `No conversation with ${oneLine(assistantName(client))} was captured.`,
    response: page,
  })
  const next = { client, limit: args.limit, cursor: page.next_cursor ?? undefined }
  printNextPage(context, page.next_cursor !== null, ['captures', 'list'], next)
}

interface CaptureArgs {
  client: string
  session: string
}

/** With fewer characters, a prefix is a mistake rather than a choice. */
const MIN_PREFIX = 4

/** The conversation with a session, or with a unique prefix of one. */
const findCapture = async (
  context: Context,
  { client, session: typed }: CaptureArgs,
): Promise<CaptureSession> => {
  const isTyped = ({ session }: CaptureSession) => session === typed
  const { sessions } = await collectCaptures(signedInClient(context), { client }, (found) =>
    found.some(isTyped),
  )
  const exact = sessions.find(isTyped)
  if (exact) return exact
  const [found, ...others] =
    typed.length < MIN_PREFIX ? [] : sessions.filter(({ session }) => session.startsWith(typed))
  if (!found) throw notFoundError('Captured conversation', `${client} ${typed}`, LIST)
  if (others.length > 0)
    throw usageError(
      `${oneLine(typed)} is ambiguous: ${others.length + 1} sessions start with it.`,
      `Use more characters of one of them. Run: ${LIST} --client ${client}`,
    )
  return found
}

const nameOf = ({ client, project }: CaptureSession): string =>
  oneLine(`the conversation with ${assistantName(client)}${project ? ` in ${project}` : ''}`)

/** Deletes the memories of a conversation, after a confirmation. */
export const runCapturesDelete = async (
  context: Context,
  { yes, ...typed }: CaptureArgs & { yes?: boolean },
): Promise<void> => {
  let deleted = 0
  const restore = ({ client, session }: CaptureSession) =>
    commandLine(context, ['captures', 'restore', client, session], {})
  await changeConfirmed(context, {
    yes,
    words: ['captures', 'delete', typed.client, typed.session],
    async find() {
      const found = await findCapture(context, typed)
      if (found.memories > 0) return found
      throw new CliError(
        'All memories of this conversation are deleted already.',
        `To restore them, run: ${restore(found)}`,
      )
    },
    question: (found) => `Delete the ${formatMemoryCount(found.memories)} of ${nameOf(found)}?`,
    async change({ client, session }) {
      const query = { client, session }
      deleted = (await signedInClient(context).call(deleteCapture, { query })).deleted
    },
    response: ({ client, session }) => ({ client, session, deleted }),
    done: (found) =>
      `Deleted ${formatMemoryCount(deleted)}. To restore them within 30 days, run: ${restore(found)}`,
  })
}

/** Restores the memories of a conversation that were deleted in the last 30 days. */
export const runCapturesRestore = async (context: Context, typed: CaptureArgs): Promise<void> => {
  const found = await findCapture(context, typed)
  const { client, session } = found
  if (found.deleted === 0)
    throw new CliError('No memory of this conversation is deleted.', `Run: ${LIST}`)
  context.io.willPrint(['client', 'session', 'restored'])
  const { restored } = await signedInClient(context).call(restoreCapture, {
    body: { client, session },
  })
  if (context.json) context.io.printJson({ client, session, restored })
  context.io.info(`Restored ${formatMemoryCount(restored)} of ${nameOf(found)}.`)
}
