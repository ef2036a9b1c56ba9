import { followActivity, isRefusal } from '../../shared/activity-stream.ts'
import { activityText, describeActivity } from '../../shared/activity-texts.ts'
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
  if (follow) return followEvents(context, filter)
  const page = await signedInClient(context).call(listActivity, {
    query: { ...filter, ...definedFields({ limit, before }) },
  })
  await printList(context, {
    items: page.events,
    columns: {
      TIME: ({ created_at }) => formatMinute(created_at),
      CLIENT: programOf,
      EVENT: describeActivity,
      TEXT: activityText,
    },
    minor: ['CLIENT'],
    empty: 'No activity.',
    response: page,
  })
  const next = { ...filter, limit, before: page.next_cursor ?? undefined }
  printNextPage(context, page.next_cursor !== null, ['activity'], next)
}

/** Prints each event when it happens, until Ctrl-C. */
const followEvents = (
  context: Context,
  filter: Pick<ActivityArgs, 'kind' | 'client' | 'session'>,
): Promise<void> =>
  runInterruptible(context.io, async (signal) => {
    const { io, json } = context
    const client = signedInClient(context)
    await followActivity({
      signal,
      open: (query) =>
        client.call(asStream(listActivity), { query: { ...filter, ...query }, signal }),
      onReady(_, isResumed) {
        if (!isResumed) io.info('Waiting for activity. Press Ctrl-C to stop.')
      },
      async onEvent(event) {
        if (json) await io.write(io.streamedJson([event]))
        else io.print(lineOf(event))
      },
      onLost(error, hasBegun) {
        // Before the first event, and with a credential that has ended, a retry would not help.
        if (error !== undefined && (!hasBegun || isRefusal(error))) throw error
      },
    })
    signal.throwIfAborted()
  })

const lineOf = (event: ActivityEvent): string =>
  [
    formatMinute(event.created_at),
    programOf(event) ?? 'you',
    describeActivity(event),
    activityText(event),
  ]
    .map((part) => oneLine(part ?? ''))
    .filter(Boolean)
    .join('  ')

const programOf = ({ client }: ActivityEvent): string | null => client && assistantName(client)
