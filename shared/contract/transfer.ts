import { type Static, Type } from '@sinclair/typebox'
import { Nullable, OneOf, Timestamp, Uuid, withDefault } from './common.ts'
import { endpoint, stream } from './endpoint.ts'
import { Memory, Remember, Trust } from './memories.ts'

/** Proves which server has stored a line of an export, and for whom. */
export const ExportSignature = Type.Object({
  key: Type.String({ description: 'The Ed25519 public key of the server, in base64url.' }),
  owner: Uuid({ description: 'The user or the organization whose memory it is.' }),
  email: Nullable(Type.String(), {
    description: 'The SHA-256 of the verified email address of the user, in base64url.',
  }),
  value: Type.String({
    description:
      'The signature of the SHA-256 of the line as JSON with sorted keys, without this field.',
  }),
})
export type ExportSignature = Static<typeof ExportSignature>

/** One line of an export. */
export const ExportedMemory = Type.Object({
  ...Memory.properties,
  language: Type.String({
    description: 'The language that its words are read in, by the name of its stemmer.',
  }),
  timezone: Nullable(Type.String(), {
    description:
      'The time zone that dates in the text are read in; null: that of the latest request of the writer.',
  }),
  signature: Type.Optional(ExportSignature),
})
export type ExportedMemory = Static<typeof ExportedMemory>

const Name = () => Type.String({ minLength: 1, maxLength: 500 })

const { content, supersedes: _, ...rest } = Remember.properties

/** One line of an import. Only the content is required. */
export const ImportedMemory = Type.Object({
  ...rest,
  content_text: content,
  memory_id: Type.Optional(Uuid()),
  source: Type.Optional(
    Type.Object({ kind: Name(), ref: Nullable(Name()), trust: Type.Optional(Trust) }),
  ),
  created_at: Type.Optional(Timestamp()),
  updated_at: Type.Optional(Timestamp()),
  valid_from: Type.Optional(Nullable(Timestamp())),
  valid_to: Type.Optional(Nullable(Timestamp())),
  supersedes: Type.Optional(Nullable(Uuid())),
  superseded_by: Type.Optional(Nullable(Uuid())),
  language: Type.Optional(Type.String()),
  timezone: Type.Optional(Nullable(Type.String())),
})
export type ImportedMemory = Static<typeof ImportedMemory>

export const ImportFormat = OneOf(['auto', 'svc', 'mcp', 'mem0', 'chatgpt', 'claude'], {
  description: 'The source of the file; `auto` detects it for each record.',
})
export type ImportFormat = Static<typeof ImportFormat>

export const TRUST_LOSSES = [
  'unsigned',
  'changed',
  'unknown_server',
  'other_account',
  'credential',
] as const
export type TrustLoss = (typeof TRUST_LOSSES)[number]

export const ImportReport = Type.Object({
  imported: Type.Integer({ description: 'Number of new memories.' }),
  deduplicated: Type.Integer({ description: 'Number of memories that were already stored.' }),
  failed_count: Type.Integer({ description: 'Number of lines that could not be imported.' }),
  failed: Type.Array(
    Type.Object({
      line: Type.Integer({
        description: 'The line number, or the index of the element in a JSON array; from 1.',
      }),
      detail: Type.String(),
    }),
    { description: 'The first 1,000 failures.' },
  ),
  trust_lowered: Type.Optional(
    Type.Array(
      Type.Object({
        reason: OneOf(TRUST_LOSSES, {
          description:
            'The line has no signature; it was changed after the export; its server is not known here; it is of another account or organization; or the credential of the import is not that of a person.',
        }),
        count: Type.Integer({ description: 'Number of new memories.' }),
      }),
      {
        description: 'The new memories that are trusted less than the file says, if there are any.',
      },
    ),
  ),
})
export type ImportReport = Static<typeof ImportReport>

const tag = 'Memory'

export const exportMemories = endpoint({
  name: 'exportMemories',
  method: 'GET',
  path: '/api/memories/export',
  tag,
  summary: 'Export all of the caller’s memories as NDJSON, oldest first',
  credential: 'bearer',
  success: [200, stream('application/x-ndjson', ExportedMemory)],
})

/** The file of an import: JSON in lines or as a whole, plain or compressed. */
export const IMPORT_FILE = {
  field: 'file',
  types: [
    'application/x-ndjson',
    'application/json',
    'application/jsonl',
    'application/gzip',
    'application/octet-stream',
    'text/plain',
  ],
}

export const importMemories = endpoint({
  name: 'importMemories',
  method: 'POST',
  path: '/api/memories/import',
  tag,
  summary:
    'Import memories from a file: an export of svc, ChatGPT, Claude, mem0 or the MCP memory server',
  credential: 'bearer',
  query: Type.Object({ format: withDefault(ImportFormat, 'auto') }),
  file: IMPORT_FILE,
  success: [200, ImportReport],
})
