import { type Static, Type } from '@sinclair/typebox'
import { Nullable, OneOf, Timestamp, Uuid } from './common.ts'
import { Memory, Remember } from './memory.ts'

/** One line of an export: a memory as it is answered everywhere, and what else is kept of it. */
export const ExportedMemory = Type.Object({
  ...Memory.properties,
  language: Type.String({
    description: 'The language it is searched in: a text search configuration of PostgreSQL.',
  }),
})
export type ExportedMemory = Static<typeof ExportedMemory>

const Name = () => Type.String({ minLength: 1, maxLength: 500 })

const { content, supersedes: _, ...rest } = Remember.properties

/** What an import takes of such a line: nothing but the content is required. */
export const ImportedMemory = Type.Object({
  ...rest,
  content_text: content,
  memory_id: Type.Optional(Uuid()),
  source: Type.Optional(Type.Object({ kind: Name(), ref: Nullable(Name()) })),
  created_at: Type.Optional(Timestamp()),
  updated_at: Type.Optional(Timestamp()),
  valid_from: Type.Optional(Nullable(Timestamp())),
  valid_to: Type.Optional(Nullable(Timestamp())),
  supersedes: Type.Optional(Nullable(Uuid())),
  superseded_by: Type.Optional(Nullable(Uuid())),
  language: Type.Optional(Type.String()),
})
export type ImportedMemory = Static<typeof ImportedMemory>

export const ImportFormat = OneOf(['auto', 'svc', 'mcp', 'mem0', 'chatgpt', 'claude'], {
  description: 'Where the file is from; `auto` tells it record by record.',
})
export type ImportFormat = Static<typeof ImportFormat>

export const Imported = Type.Object({
  imported: Type.Integer({ description: 'How many memories are new.' }),
  deduplicated: Type.Integer({ description: 'How many were there already.' }),
  failed_count: Type.Integer({ description: 'How many lines could not be taken.' }),
  failed: Type.Array(
    Type.Object({
      line: Type.Integer({
        description: 'The line, or the element of the list that the file is; from 1.',
      }),
      detail: Type.String(),
    }),
    { description: 'Which ones and why, the first 1,000 of them.' },
  ),
})
export type Imported = Static<typeof Imported>
