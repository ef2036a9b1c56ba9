import type { ServerEvent } from '@modelcontextprotocol/server'
import { followActivity, isRefusal } from '../shared/activity-stream.ts'
import { activityText, describeActivity } from '../shared/activity-texts.ts'
import { type ActivityEvent, getActivity, listActivity } from '../shared/contract/activity.ts'
import { asStream } from '../shared/contract/endpoint.ts'
import { getMemory, type Memory } from '../shared/contract/memories.ts'
import { foldLabel } from '../shared/labels.ts'
import { assistantName } from '../shared/origin.ts'
import { ToolCallError, type ToolHost } from './host.ts'

/** The resource that a client subscribes to, to hear of the activity, and reads for the newest events. */
export const ACTIVITY_URI = 'svc://activity'
export const MEMORY_URI = 'svc://memories/'
export const THREAD_URI = 'svc://threads/'
export const TAG_URI = 'svc://tags/'

/** Whether a client asks for the memories of a thread or a tag, for which events are looked up. */
export const isGroup = (uri: unknown): uri is string =>
  typeof uri === 'string' && (uri.startsWith(THREAD_URI) || uri.startsWith(TAG_URI))

const LISTED = 20

/** The newest events, one in a line, the newest first. @throws ToolCallError */
export const readActivity = async (host: ToolHost): Promise<string> => {
  const { events } = await host.call((client) =>
    client.call(listActivity, { query: { limit: LISTED } }),
  )
  return events.map(describe).join('\n')
}

const describe = (event: ActivityEvent) =>
  [
    event.created_at,
    event.client ? assistantName(event.client) : 'you',
    describeActivity(event),
    activityText(event),
  ]
    .flatMap((part) => part?.replaceAll(/\s+/g, ' ') || [])
    .join('  ')

/** Events that change the list of memories, and those that change one memory. */
const CHANGES_LIST =
  /^(memory\.(stored|superseded|forgotten|erased|restored)|conversation\.|import\.)/
/** Events that change the memories of a thread or a tag. */
const CHANGES_GROUP =
  /^(memory\.(stored|changed|superseded|forgotten|restored)|conversation\.|import\.)/
const CHANGES_MEMORY = /^memory\.(changed|superseded|forgotten|erased|restored)$/

interface Watcher {
  publish(event: ServerEvent): void
  signal: AbortSignal
  /** Called before events are published. When it throws, they are tried again, unless the signal ends that. */
  check?(): Promise<unknown>
  /** The addresses of the threads and tags that are subscribed to. */
  groups?(): readonly string[]
}

/**
 * Publishes the activity as changes of resources, until the signal; what a stream that broke missed follows.
 * @throws when the credential is refused.
 */
export const watchActivity = (
  host: ToolHost,
  { publish, signal, check, groups }: Watcher,
): Promise<void> =>
  followActivity({
    signal,
    open: (query) => host.call((client) => client.call(asStream(listActivity), { query, signal })),
    async onEvent(event) {
      await check?.()
      for (const change of await changesOf(host, event)) publish(change)
      const subscribed = groups?.() ?? []
      if (!subscribed.length || !CHANGES_GROUP.test(event.kind)) return
      const changed = await groupsOf(host, event)
      for (const uri of subscribed)
        if (changed.has(comparedGroup(uri))) publish({ kind: 'resource_updated', uri })
    },
    onLost(error) {
      if (isRefusedCall(error)) throw error
    },
  })

const isRefusedCall = (error: unknown): boolean =>
  isRefusal(error instanceof ToolCallError ? error.cause : error)

const changesOf = async (host: ToolHost, event: ActivityEvent): Promise<ServerEvent[]> => {
  const ids = CHANGES_MEMORY.test(event.kind) ? await memoriesOf(host, event) : []
  return [
    { kind: 'resource_updated', uri: ACTIVITY_URI },
    ...ids.map((id) => ({ kind: 'resource_updated', uri: `${MEMORY_URI}${id}` }) as const),
    ...(CHANGES_LIST.test(event.kind) ? [{ kind: 'resources_list_changed' } as const] : []),
  ]
}

/** An event in the stream has the first of its memories only. */
const memoriesOf = async (
  host: ToolHost,
  { id, count, memories }: ActivityEvent,
): Promise<string[]> => {
  const all =
    count > memories.length
      ? await host.call((client) => client.call(getActivity, { params: { event_id: id } }))
      : { memories }
  return all.memories.map(({ memory_id }) => memory_id)
}

/** An address as it is compared: the server finds a tag by every spelling. */
const comparedGroup = (uri: string): string => {
  if (!uri.startsWith(TAG_URI)) return uri
  try {
    return TAG_URI + foldLabel(decodeURIComponent(uri.slice(TAG_URI.length)))
  } catch {
    return uri
  }
}

/** The compared addresses of the threads and tags of an event's memories, as they are now. */
const groupsOf = async (host: ToolHost, event: ActivityEvent): Promise<Set<string>> => {
  const ids = await memoriesOf(host, event)
  const found = await Promise.all(ids.map((memory_id) => findMemory(host, memory_id)))
  return new Set(
    found.flatMap((memory) => [
      ...(memory?.thread ? [`${THREAD_URI}${encodeURIComponent(memory.thread)}`] : []),
      ...(memory?.tags.map((tag) => `${TAG_URI}${foldLabel(tag)}`) ?? []),
    ]),
  )
}

/** A memory, deleted or not; undefined for one that was erased. */
const findMemory = async (host: ToolHost, memory_id: string): Promise<Memory | undefined> => {
  for (const deleted of [false, true]) {
    const query = { deleted }
    const memory = await host
      .call((client) => client.call(getMemory, { params: { memory_id }, query }))
      .catch((error: unknown) => {
        if (isRefusedCall(error)) return undefined
        throw error
      })
    if (memory) return memory
  }
  return undefined
}
