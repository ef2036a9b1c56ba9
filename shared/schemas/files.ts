import { type Static, Type } from '@sinclair/typebox'
import { PageSize, Timestamp, Uuid } from './common.ts'

export const StoredFile = Type.Object(
  {
    id: Uuid(),
    name: Type.String(),
    type: Type.String({
      description: 'The media type, detected from the content.',
      examples: ['application/pdf'],
    }),
    size: Type.Integer({ description: 'Size in bytes.' }),
    has_text: Type.Boolean({ description: 'Whether text could be extracted.' }),
    created_at: Timestamp(),
  },
  { $id: 'StoredFile' },
)
export type StoredFile = Static<typeof StoredFile>

export const FileQuery = Type.Object({
  before: Type.Optional(Uuid({ description: 'The last file of the previous page.' })),
  limit: PageSize(50),
})
export type FileQuery = Static<typeof FileQuery>
