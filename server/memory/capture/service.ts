import {
  type Capture,
  type Captured,
  type CapturedMessage,
  type CaptureSession,
  capture,
  deleteCapture,
  listCaptures,
  MAX_CAPTURED_LENGTH,
  restoreCapture,
} from '../../../shared/contract/capture.ts'
import { MAX_TEXT_LENGTH, parseInstant } from '../../../shared/contract/common.ts'
import { lowestTrust, type Remembered } from '../../../shared/contract/memories.ts'
import type { RecordActivity } from '../../account/activity/service.ts'
import type { Database } from '../../platform/db/database.ts'
import { mapYielding } from '../../platform/event-loop.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { defineErrors } from '../../platform/http/error.ts'
import type { Mount } from '../../platform/http/route.ts'
import { splitIntoParts } from '../../platform/text/parts.ts'
import { ANSWER_SOURCE, type Source } from '../memories/actor.ts'
import type { CapturedMemory } from '../memories/new-memory.ts'
import type { Redaction } from '../memories/redaction.ts'
import type { MemoryService } from '../memories/service.ts'
import { withoutGiven } from '../text/given.ts'
import { keepsAnswers } from '../wall.ts'
import { listCapturedAt, listCaptureSessions } from './store.ts'

const captureError = defineErrors({
  capture_not_found: { status: 404, detail: 'No conversation was captured under that session' },
  invalid_cursor: {
    status: 422,
    detail: [{ loc: ['query', 'cursor'], type: 'value_error', msg: 'Invalid cursor' }],
  },
})

/** The kind of source of a person's prompt to an assistant. */
const PROMPT_SOURCE = 'prompt'
const ASSISTANT = 'assistant'
const PROMPT_IMPORTANCE = 0.5
const ANSWER_IMPORTANCE = 0.2

interface CaptureKey {
  client: string
  session: string
}

/** The thread of a captured conversation. A session of svc's own key is that of one program. */
export const captureThread = ({ client, session }: CaptureKey): string => `${client}:${session}`

export type CaptureService = ReturnType<typeof createCaptureService>

interface CaptureDeps {
  memories: Pick<
    MemoryService,
    'captureAll' | 'replaceCaptured' | 'deleteCaptured' | 'restoreCaptured'
  >
  redaction: Redaction
  record: RecordActivity
}

export const createCaptureService = (
  { query }: Pick<Database, 'query'>,
  { memories, redaction, record }: CaptureDeps,
) => {
  /**
   * Messages that svc stored when it passed them on to a model. A program that names its turns in its transcripts
   * alone has other keys there: such a message is known by its place and its text.
   */
  const proxiedOf = async (
    { ownerId }: Caller,
    body: Capture,
    parts: CapturedPart[],
  ): Promise<Map<string, string>> => {
    const rows = await listCapturedAt(query, ownerId, {
      thread: captureThread(body),
      sourceRef: sourceRef('proxy', body.client),
      positions: parts.flatMap((part) => part.body.position ?? []),
    })
    return new Map(rows.map((row) => [placeKey(row.position, row.content), row.memoryId]))
  }

  /** The last text of a turn counts: an assistant may go on after the end that it has reported. */
  const replaceContinued = async (
    caller: Caller,
    parts: CapturedPart[],
    stored: Remembered[],
  ): Promise<void> => {
    const changed = parts.filter(({ role, body }, index) => {
      const { deduplicated, content_text } = stored[index] ?? {}
      return role === 'assistant' && deduplicated && content_text !== body.content
    })
    const replaced: { id: string }[] = []
    for (const part of changed) {
      const id = await memories.replaceCaptured(caller, part, surplusOf(part, parts))
      if (id) replaced.push({ id })
    }
    if (replaced.length) record(caller, { kind: 'memory.changed', memories: replaced })
  }

  return {
    /** Stores each message of a conversation once, however often and from whichever channel it comes. */
    async capture(caller: Caller, given: Capture): Promise<Captured> {
      // The address of a git remote may have a password. The ids of a conversation stay, which tell it from others.
      const body = {
        ...given,
        ...(given.project && { project: await redaction.text(given.project) }),
      }
      const kept = body.messages.filter(({ role }) => role === 'user' || keepsAnswers(caller))
      const said = await mapYielding(kept, async (message) => ({
        ...message,
        content: await redaction.text(withoutGiven(message.content)),
      }))
      const messages = said.filter(({ content }) => content !== '')
      const parts = messages
        .flatMap((message) => partsOf(caller, body, message))
        .map((part) => withKinds(part, redaction))
      const proxied = body.channel === 'import' ? await proxiedOf(caller, body, parts) : new Map()
      const isNew = (part: CapturedPart) => !proxied.has(placeOf(part))
      const stored = await memories.captureAll(caller, parts.filter(isNew))
      await replaceContinued(caller, parts.filter(isNew), stored)
      let next = 0
      const captured = parts.map((part) => {
        const { turn, role } = part
        const { memory_id = proxied.get(placeOf(part)) ?? '', deduplicated = true } =
          (isNew(part) && stored[next++]) || {}
        return { memory_id, turn, role, deduplicated }
      })
      const written = captured.filter(({ deduplicated }) => !deduplicated)
      if (written.length) {
        const { client, session } = body
        const memories = written.map(({ memory_id: id }) => ({ id }))
        record(caller, { kind: 'conversation.captured', client, session, memories })
      }
      return { memories: captured, count: written.length }
    },

    /** @throws ApiError 422 for a cursor that `list` did not return. */
    async list(
      { ownerId }: Caller,
      { client, limit, cursor }: { client?: string; limit: number; cursor?: string },
    ): Promise<{ sessions: CaptureSession[]; next_cursor: string | null }> {
      const rows = await listCaptureSessions(query, ownerId, {
        client,
        after: cursor === undefined ? undefined : readCursor(cursor),
        limit: limit + 1,
      })
      const page = rows.slice(0, limit)
      const last = rows.length > limit ? page.at(-1) : undefined
      return {
        sessions: page.map(({ threadNo: _, firstAt, lastAt, ...row }) => ({
          ...row,
          first_at: firstAt.toISOString(),
          last_at: lastAt.toISOString(),
        })),
        next_cursor: last ? `${last.lastAt.toISOString()} ${last.threadNo}` : null,
      }
    },

    /**
     * Deletes the memories of a conversation, all or none. They can be restored for 30 days, and are not captured again.
     * @throws ApiError 404 where none was captured.
     */
    async delete(
      caller: Caller,
      key: CaptureKey,
    ): Promise<{ deleted: number; deleted_since: string }> {
      const done = await memories.deleteCaptured(caller, captureThread(key))
      if (!done) throw captureError('capture_not_found')
      const { deleted: count } = done
      if (count) record(caller, { ...key, kind: 'conversation.forgotten', count })
      return { deleted: done.deleted, deleted_since: done.now.toISOString() }
    },

    /**
     * Restores what is deleted, all or none, or only what was deleted at a time or later.
     * @throws ApiError 404 where none was captured.
     */
    async restore(
      caller: Caller,
      { deleted_since, ...key }: CaptureKey & { deleted_since?: string | null },
    ): Promise<{ restored: number }> {
      const since = parseInstant(deleted_since ?? '') ?? new Date(0)
      const restored = await memories.restoreCaptured(caller, captureThread(key), since)
      if (restored === undefined) throw captureError('capture_not_found')
      if (restored) record(caller, { ...key, kind: 'conversation.restored', count: restored })
      return { restored }
    },
  }
}

export const captureRoutes = (mount: Mount, captures: CaptureService): void => {
  mount(capture, ({ caller, body }) => captures.capture(caller, body))
  mount(listCaptures, ({ caller, query }) => captures.list(caller, query))
  mount(deleteCapture, ({ caller, query }) => captures.delete(caller, query))
  mount(restoreCapture, ({ caller, body }) => captures.restore(caller, body))
}

/** The time and the thread of the last session of a page. */
const CURSOR = /^(\S+) (\d{1,15})$/

const readCursor = (cursor: string): { lastAt: string; threadNo: number } => {
  const [, lastAt = '', threadNo] = CURSOR.exec(cursor) ?? []
  if (!parseInstant(lastAt)) throw captureError('invalid_cursor')
  return { lastAt, threadNo: Number(threadNo) }
}

const sourceRef = (channel: Capture['channel'], client: string): string => `${channel}:${client}`

const placeKey = (position: number | null | undefined, content: string): string =>
  `${position} ${content}`

const placeOf = ({ body }: CapturedPart): string => placeKey(body.position, body.content)

type CapturedPart = CapturedMemory & Pick<CapturedMessage, 'turn' | 'role'>

/** More parts than the longest message has: a part ends after half of its length at the earliest. */
const MAX_PARTS = Math.ceil((2 * MAX_CAPTURED_LENGTH) / MAX_TEXT_LENGTH) + 1

/** The keys of the parts that an earlier, longer text of the same message may have. */
const surplusOf = (
  { key: [client = '', session = '', turn = '', role = '', part] }: CapturedPart,
  parts: CapturedPart[],
): string[][] => {
  if (part !== undefined) return []
  const message = [client, session, turn, role]
  const count = parts.filter(({ key }) =>
    message.every((each, index) => key[index] === each),
  ).length
  return Array.from({ length: MAX_PARTS - count }, (_, index) => [
    ...message,
    String(count + index),
  ])
}

/** Lists in the metadata which credentials were replaced. */
const withKinds = (part: CapturedPart, redaction: Redaction): CapturedPart => {
  const metadata = { ...part.body.metadata, ...redaction.kindsOf(part.body.content) }
  return { ...part, body: { ...part.body, metadata } }
}

/** The memories of a message: one, or the parts of a long one. */
const partsOf = (
  caller: Caller,
  { client, channel, session, project }: Capture,
  { turn, role, content, ordinal, occurred_at }: CapturedMessage,
): CapturedPart[] => {
  const isAnswer = role === 'assistant'
  const source: Source = {
    kind: isAnswer ? ANSWER_SOURCE : PROMPT_SOURCE,
    ref: sourceRef(channel, client),
    trust: lowestTrust(
      caller.trust ?? 'user',
      isAnswer ? 'assistant' : 'user',
      channel === 'import' ? 'imported' : 'user',
    ),
  }
  const author = isAnswer ? ASSISTANT : caller.me.display_name
  const texts =
    content.length > MAX_TEXT_LENGTH ? splitIntoParts(content, MAX_TEXT_LENGTH) : [content]
  return texts.map((text, part) => ({
    turn,
    role,
    key: [client, session, turn, role, ...(part ? [String(part)] : [])],
    source,
    body: {
      content: text.toWellFormed(),
      memory_type: 'episodic',
      importance: isAnswer ? ANSWER_IMPORTANCE : PROMPT_IMPORTANCE,
      tags: [],
      project: project ?? null,
      thread: captureThread({ client, session }),
      // A prompt and its answer follow each other, also where they arrive out of order.
      position: ordinal ? 2 * ordinal - (isAnswer ? 0 : 1) : null,
      author,
      occurred_at: occurred_at ?? null,
      metadata: {
        client,
        session,
        turn,
        ...(part && { part: part + 1 }),
      },
    },
  }))
}
