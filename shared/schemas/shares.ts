import { type Static, Type } from '@sinclair/typebox'
import { Nullable, OneOf, PageSize, Timestamp, Uuid, withDefault } from './common.ts'

export const Share = Type.Object({
  token: Type.String({ description: 'Gives read access to the conversation without an account.' }),
  url: Type.String({ description: 'The public page of the conversation.' }),
})
export type Share = Static<typeof Share>

export const CreateShare = Type.Object({
  session_id: Uuid(),
  message_id: Type.Optional(
    Nullable(Uuid(), { description: 'The last message to share. Default: all messages.' }),
  ),
})
export type CreateShare = Static<typeof CreateShare>

/** A share in the list of its owner. */
export const OwnShare = Type.Object({
  ...Share.properties,
  session_id: Uuid({ description: 'The shared session, also after it was deleted.' }),
  title: Type.String(),
  message_count: Type.Integer(),
  created_at: Timestamp(),
})
export type OwnShare = Static<typeof OwnShare>

export const ShareQuery = Type.Object({
  before: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'The token of the last share of the previous page.',
    }),
  ),
  limit: PageSize(50),
})
export type ShareQuery = Static<typeof ShareQuery>

export const SharedMessage = Type.Object({
  role: OneOf(['user', 'assistant']),
  content: Type.String(),
  files: Type.Array(Type.String(), {
    description: 'The names of the attached files. The files themselves are not shared.',
  }),
  created_at: Timestamp(),
})
export type SharedMessage = Static<typeof SharedMessage>

/** A page of the snapshot of a conversation. */
export const SharedConversation = Type.Object({
  title: Type.String(),
  message_count: Type.Integer({ description: 'Number of messages of the whole conversation.' }),
  created_at: Timestamp({ description: 'When it was shared.' }),
  messages: Type.Array(SharedMessage, { description: 'Oldest first.' }),
  next_cursor: Nullable(
    Type.Integer({
      description: 'Pass it as `cursor` to get the next page; null on the last page.',
    }),
  ),
})
export type SharedConversation = Static<typeof SharedConversation>

export const SharedConversationQuery = Type.Object({
  cursor: withDefault(
    Type.Integer({
      minimum: 0,
      maximum: 2_147_483_647,
      description: 'The `next_cursor` of the previous page.',
    }),
    0,
  ),
  limit: PageSize(100),
})
export type SharedConversationQuery = Static<typeof SharedConversationQuery>
