import { type Static, Type } from '@sinclair/typebox'
import { Limit, Nullable, Timestamp, Uuid, withDefault } from './common.ts'

/** Contract, section 2. */
export const DirectMessage = Type.Object({
  id: Uuid(),
  thread_id: Uuid(),
  author_id: Uuid({ description: 'Always the same one where the service answers.' }),
  author_username: Type.String({ description: '`icog` where the service answers.' }),
  author_display_name: Type.String(),
  author_avatar_url: Type.String(),
  content: Type.String(),
  mentions_icog: Type.Boolean({ description: 'It asks the service, which answers in the thread.' }),
  reply_to_message_id: Nullable(Uuid()),
  created_at: Timestamp(),
})
export type DirectMessage = Static<typeof DirectMessage>

/** Contract, section 2. */
export const DirectThread = Type.Object({
  thread_id: Uuid(),
  peer_user_id: Uuid(),
  peer_username: Type.String({ description: '`deleted` once their account is gone.' }),
  peer_display_name: Type.String(),
  peer_avatar_url: Type.String(),
  peer_online: Type.Boolean({ description: 'Seen within 60 seconds.' }),
  last_message: Nullable(DirectMessage),
  unread: Type.Integer({ description: 'Messages of others since the caller last read.' }),
  last_message_at: Timestamp({ description: 'Before anybody wrote, when the thread began.' }),
  archived: Type.Boolean({ description: 'By the caller; the next message brings it back.' }),
})
export type DirectThread = Static<typeof DirectThread>

export const DirectThreadQuery = Type.Object({
  include_archived: withDefault(Type.Boolean(), false),
  before: Type.Optional(Uuid({ description: 'The last thread of the page before.' })),
  limit: Limit(100),
})
export type DirectThreadQuery = Static<typeof DirectThreadQuery>

export const StartThread = Type.Object({
  username: Type.String({
    trim: true,
    minLength: 1,
    maxLength: 100,
    description: 'Of the other person, in any case; an @ before it does not matter.',
    examples: ['ada'],
  }),
})
export type StartThread = Static<typeof StartThread>

export const DirectMessageQuery = Type.Object({
  before: Type.Optional(Uuid({ description: 'The first message of the page after this one.' })),
  limit: Limit(50),
})
export type DirectMessageQuery = Static<typeof DirectMessageQuery>

export const SendDirectMessage = Type.Object({
  content: Type.String({
    trim: true,
    minLength: 1,
    maxLength: 10_000,
    description: '`@icog` in it brings the answer of the service into the thread.',
    examples: ['@icog when does the train leave?'],
  }),
  reply_to_message_id: Type.Optional(Nullable(Uuid({ description: 'One of the same thread.' }))),
})
export type SendDirectMessage = Static<typeof SendDirectMessage>
