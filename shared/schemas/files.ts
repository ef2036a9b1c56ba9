import { type Static, Type } from '@sinclair/typebox'
import { Limit, Timestamp, Uuid } from './common.ts'

export const StoredFile = Type.Object({
  id: Uuid(),
  name: Type.String(),
  type: Type.String({ description: 'By its content.', examples: ['application/pdf'] }),
  size: Type.Integer({ description: 'In bytes.' }),
  has_text: Type.Boolean({ description: 'Whether there is text in it that can be read.' }),
  created_at: Timestamp(),
})
export type StoredFile = Static<typeof StoredFile>

export const FileQuery = Type.Object({
  before: Type.Optional(Uuid({ description: 'The last file of the page before.' })),
  limit: Limit(50),
})
export type FileQuery = Static<typeof FileQuery>
