import { type Static, Type } from '@sinclair/typebox'
import { Nullable, Timestamp, Uuid } from './common.ts'

export const CreateKey = Type.Object({
  name: Type.String({
    minLength: 1,
    maxLength: 100,
    trim: true,
    description: 'A label for the key.',
    examples: ['laptop'],
  }),
  org_id: Type.Optional(
    Nullable(Uuid(), { description: 'The organization that the key always acts in.' }),
  ),
  expires_at: Type.Optional(
    Nullable(Timestamp(), { description: 'When the key expires; must be in the future.' }),
  ),
})
export type CreateKey = Static<typeof CreateKey>

export const ApiKey = Type.Object(
  {
    id: Uuid(),
    name: Type.String(),
    key_prefix: Type.String({ description: 'The first 8 characters of the key.' }),
    org_id: Nullable(Uuid()),
    created_at: Timestamp(),
    last_used_at: Nullable(Timestamp({ description: 'Updated at most once a minute.' })),
    expires_at: Nullable(Timestamp()),
  },
  { $id: 'ApiKey' },
)
export type ApiKey = Static<typeof ApiKey>

export const CreatedKey = Type.Object({
  ...ApiKey.properties,
  key: Type.String({ description: 'The secret key. It is returned only once.' }),
})
export type CreatedKey = Static<typeof CreatedKey>
