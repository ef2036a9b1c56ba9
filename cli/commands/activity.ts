import { setTimeout as pause } from 'node:timers/promises'
import { ACTIVITY_TEXTS } from '../../shared/activity-texts.ts'
import { ApiFailure } from '../../shared/client.ts'
import { type ActivityEvent, listActivity } from '../../shared/contract/activity.ts'
import { asStream } from '../../shared/contract/endpoint.ts'
import { assistantName } from '../../shared/origin.ts'
import { type Context, signedInClient } from '../context.ts'
import { definedFields } from '../defined.ts'
import { formatMinute } from '../format.ts'
import { runInterruptible } from '../interrupt.ts'
import { printList, printNextPage } from '../list.ts'
import { oneLine } from '../output.ts'

interface ActivityArgs {
  kind?: string
  client?: string
  session?: string
  limit?: number
  before?: string
  follow?: boolean
}

/** Lists what was read from the memory and written to it, newest first, or follows it. */
export const runActivity = async (context: Context, args: ActivityArgs): Promise<void> => {
  const { kind, client, session, limit, before, follow } = args
  const filter = definedFields({ kind, client, session })
  if (follow) return followActivity(context, filter)
  const page = await signedInClient(context).call(listActivity, {
    query: { ...filter, ...definedFields({ limit, before }) },
  })
  await printList(context, {
    items: page.events,
    columns: {
      TIME: ({ created_at }) => formatMinute(created_at),
      CLIENT: programOf,
      EVENT: describe,
      TEXT: textOf,
    },
    minor: ['CLIENT'],
    empty: 'No activity.',
    response: page,
  })
  const next = { ...filter, limit, before: page.next_cursor ?? undefined }
  printNextPage(context, page.next_cursor !== null, ['activity'], next)
}

const FIRST_RETRY_MS = 500
const LONGEST_RETRY_MS = 15_000

/** Prints each event when it happens, until Ctrl-C; over restarts of the server without a loss. */
const followActivity = (
  context: Context,
  filter: Pick<ActivityArgs, 'kind' | 'client' | 'session'>,
): Promise<void> =>
  runInterruptible(context.io, async (signal) => {
    const { io, json } = context
    const client = signedInClient(context)
    let after: string | undefined
    let retryMs = FIRST_RETRY_MS
    for (;;) {
      try {
        const query = { ...filter, ...definedFields({ after }) }
        for await (const event of await client.call(asStream(listActivity), { query, signal })) {
          if (event.event === 'error') break
          if (event.event === 'ready') {
            if (after === undefined) io.info('Waiting for activity. Press Ctrl-C to stop.')
            after = event.data.after
          } else {
            after = event.data.id
            if (json) await io.write(io.streamedJson([event.data]))
            else io.print(lineOf(event.data))
          }
          retryMs = FIRST_RETRY_MS
        }
      } catch (error) {
        // Before the first event, and with a credential that has ended, a retry would not help.
        if (signal.aborted || after === undefined || isRefusal(error)) throw error
      }
      await pause(retryMs, undefined, { signal })
      retryMs = Math.min(2 * retryMs, LONGEST_RETRY_MS)
    }
  })

const isRefusal = (error: unknown): boolean =>
  error instanceof ApiFailure && error.status >= 400 && error.status < 500

const lineOf = (event: ActivityEvent): string =>
  [formatMinute(event.created_at), programOf(event) ?? 'you', describe(event), textOf(event)]
    .map((part) => oneLine(part ?? ''))
    .filter(Boolean)
    .join('  ')

const programOf = ({ client }: ActivityEvent): string | null => client && assistantName(client)

/** A kind of a later version is shown by its name. */
const describe = ({ kind, count }: ActivityEvent): string =>
  (ACTIVITY_TEXTS[kind] as ((count: number) => string) | undefined)?.(count) ?? kind

const textOf = ({ question, subject, memories: [first] }: ActivityEvent): string | null =>
  question ?? subject ?? first?.excerpt ?? null
