import { type Static, Type } from '@sinclair/typebox'
import { Nullable, PageSize, Timestamp, Uuid, withDefault } from './common.ts'
import { endpoint } from './endpoint.ts'

export const DirectMessage = Type.Object(
  {
    id: Uuid(),
    thread_id: Uuid(),
    author_id: Uuid({ description: 'A fixed id for answers of the service.' }),
    author_username: Type.String({ description: '`icog` for answers of the service.' }),
    author_display_name: Type.String(),
    author_avatar_url: Type.String(),
    content: Type.String(),
    mentions_icog: Type.Boolean({
      description: 'Whether the message mentions the service, which then answers in the thread.',
    }),
    reply_to_message_id: Nullable(Uuid()),
    created_at: Timestamp(),
  },
  { $id: 'DirectMessage' },
)
export type DirectMessage = Static<typeof DirectMessage>

export const DirectThread = Type.Object(
  {
    thread_id: Uuid(),
    peer_user_id: Uuid(),
    peer_username: Type.String({ description: '`deleted` after the account was deleted.' }),
    peer_display_name: Type.String(),
    peer_avatar_url: Type.String(),
    peer_online: Type.Boolean({
      description: 'Whether the user was active in the last 60 seconds.',
    }),
    last_message: Nullable(DirectMessage),
    unread: Type.Integer({
      description: 'Number of messages of the other user since the caller last read the thread.',
    }),
    last_message_at: Timestamp({ description: 'Without messages: when the thread was created.' }),
    archived: Type.Boolean({
      description: 'Whether the caller archived the thread; the next message unarchives it.',
    }),
  },
  { $id: 'DirectThread' },
)
export type DirectThread = Static<typeof DirectThread>

export const DirectThreadQuery = Type.Object({
  include_archived: withDefault(Type.Boolean(), false),
  before: Type.Optional(Uuid({ description: 'The last thread of the previous page.' })),
  limit: PageSize(100),
})
export type DirectThreadQuery = Static<typeof DirectThreadQuery>

export const StartThread = Type.Object({
  username: Type.String({
    trim: true,
    minLength: 1,
    maxLength: 100,
    description: 'The username of the other user, case-insensitive, with or without a leading @.',
    examples: ['ada'],
  }),
})
export type StartThread = Static<typeof StartThread>

export const DirectMessageQuery = Type.Object({
  before: Type.Optional(
    Uuid({ description: 'The first message of the page that follows this one.' }),
  ),
  limit: PageSize(50),
})
export type DirectMessageQuery = Static<typeof DirectMessageQuery>

export const SendDirectMessage = Type.Object({
  content: Type.String({
    trim: true,
    minLength: 1,
    maxLength: 10_000,
    description: 'Mention `@icog` to get an answer of the service in the thread.',
    examples: ['@icog when does the train leave?'],
  }),
  reply_to_message_id: Type.Optional(
    Nullable(Uuid({ description: 'A message of the same thread.' })),
  ),
})
export type SendDirectMessage = Static<typeof SendDirectMessage>

const tag = 'Direct messages'
const params = Type.Object({ thread_id: Uuid() })

export const listDirectThreads = endpoint({
  name: 'listDirectThreads',
  method: 'GET',
  path: '/api/dm/threads',
  tag,
  summary: 'List the caller’s threads, most recent message first',
  credential: 'bearer',
  requiresVerifiedEmail: true,
  query: DirectThreadQuery,
  success: [200, Type.Array(DirectThread)],
  errors: { 404: ['dm_thread_not_found'] },
})

export const startDirectThread = endpoint({
  name: 'startDirectThread',
  method: 'POST',
  path: '/api/dm/threads',
  tag,
  summary: 'Create a thread with a user, or return the existing one',
  credential: 'bearer',
  requiresVerifiedEmail: true,
  body: StartThread,
  success: [201, DirectThread],
  affects: ['listDirectThreads'],
  errors: { 400: ['dm_to_self'], 404: ['username_not_found'], 429: ['new_threads_rate_limited'] },
})

export const listDirectMessages = endpoint({
  name: 'listDirectMessages',
  method: 'GET',
  path: '/api/dm/threads/{thread_id}/messages',
  tag,
  summary: 'List the latest messages of a thread, oldest first',
  credential: 'bearer',
  requiresVerifiedEmail: true,
  params,
  query: DirectMessageQuery,
  success: [200, Type.Array(DirectMessage)],
  errors: { 404: ['dm_thread_not_found', 'dm_message_not_found'] },
})

export const sendDirectMessage = endpoint({
  name: 'sendDirectMessage',
  method: 'POST',
  path: '/api/dm/threads/{thread_id}/messages',
  tag,
  summary: 'Send a direct message',
  credential: 'bearer',
  requiresVerifiedEmail: true,
  params,
  body: SendDirectMessage,
  success: [201, DirectMessage],
  affects: ['listDirectMessages', 'listDirectThreads'],
  errors: {
    404: ['dm_thread_not_found', 'dm_message_not_found'],
    409: ['dm_peer_deleted'],
    429: ['direct_messages_rate_limited'],
  },
})

export const readDirectThread = endpoint({
  name: 'readDirectThread',
  method: 'POST',
  path: '/api/dm/threads/{thread_id}/read',
  tag,
  summary: 'Mark a thread as read',
  credential: 'bearer',
  requiresVerifiedEmail: true,
  params,
  isIdempotent: true,
  success: [200, DirectThread],
  errors: { 404: ['dm_thread_not_found'] },
})

export const archiveDirectThread = endpoint({
  name: 'archiveDirectThread',
  method: 'PUT',
  path: '/api/dm/threads/{thread_id}/archive',
  tag,
  summary: 'Archive or unarchive a thread for the caller',
  credential: 'bearer',
  requiresVerifiedEmail: true,
  params,
  success: [200, DirectThread],
  affects: ['listDirectThreads'],
  errors: { 404: ['dm_thread_not_found'] },
})
