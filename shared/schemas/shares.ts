import { type Static, Type } from '@sinclair/typebox'
import { Limit, Nullable, OneOf, Timestamp, Uuid, withDefault } from './common.ts'

/** Contract, section 2. */
export const Share = Type.Object({
  token: Type.String({ description: 'Whoever has it can read the conversation.' }),
  url: Type.String({ description: 'A page to read it on.' }),
})
export type Share = Static<typeof Share>

export const CreateShare = Type.Object({
  session_id: Uuid(),
  message_id: Type.Optional(
    Nullable(Uuid(), { description: 'The last message to show; all of them if left out.' }),
  ),
})
export type CreateShare = Static<typeof CreateShare>

/** A share as its owner sees it. */
export const OwnShare = Type.Object({
  ...Share.properties,
  session_id: Uuid({ description: 'Where it was taken from, also once that is deleted.' }),
  title: Type.String(),
  message_count: Type.Integer(),
  created_at: Timestamp(),
})
export type OwnShare = Static<typeof OwnShare>

export const ShareQuery = Type.Object({
  before: Type.Optional(
    Type.String({ maxLength: 100, description: 'The token of the last share of the page before.' }),
  ),
  limit: Limit(50),
})
export type ShareQuery = Static<typeof ShareQuery>

export const SharedMessage = Type.Object({
  role: OneOf(['user', 'assistant']),
  content: Type.String(),
  files: Type.Array(Type.String(), {
    description: 'The names of what went with it; the files themselves are not shared.',
  }),
  created_at: Timestamp(),
})
export type SharedMessage = Static<typeof SharedMessage>

/** A conversation as it was when it was shared, or a page of it. */
export const SharedConversation = Type.Object({
  title: Type.String(),
  message_count: Type.Integer({ description: 'Of the whole conversation.' }),
  created_at: Timestamp({ description: 'When it was shared.' }),
  messages: Type.Array(SharedMessage, { description: 'Oldest first.' }),
  next_cursor: Nullable(
    Type.Integer({ description: 'Give it as `cursor` for the messages that follow.' }),
  ),
})
export type SharedConversation = Static<typeof SharedConversation>

export const SharedConversationQuery = Type.Object({
  cursor: withDefault(
    Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: 'From the page before.' }),
    0,
  ),
  limit: Limit(100),
})
export type SharedConversationQuery = Static<typeof SharedConversationQuery>
