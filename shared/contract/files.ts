import { type Static, Type } from '@sinclair/typebox'
import { PageSize, Timestamp, Uuid } from './common.ts'
import { endpoint } from './endpoint.ts'

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

const tag = 'Files'
const params = Type.Object({ file_id: Uuid() })

export const uploadFile = endpoint({
  name: 'uploadFile',
  method: 'POST',
  path: '/api/files',
  tag,
  summary: 'Upload a text file, PDF or image of up to 25 MB to attach to a conversation',
  credential: 'bearer',
  upload: { field: 'file', maxBytes: 25 * 1024 * 1024 },
  success: [201, StoredFile],
  errors: {
    400: ['file_empty', 'file_type_unsupported'],
    409: ['cap_reached'],
    413: ['file_too_large', 'file_storage_full'],
  },
})

export const listFiles = endpoint({
  name: 'listFiles',
  method: 'GET',
  path: '/api/files',
  tag,
  summary: 'List the caller’s files, newest first',
  credential: 'bearer',
  query: FileQuery,
  success: [200, Type.Array(StoredFile)],
})

export const getFile = endpoint({
  name: 'getFile',
  method: 'GET',
  path: '/api/files/{file_id}',
  tag,
  summary: 'Get the metadata of a file',
  credential: 'bearer',
  params,
  success: [200, StoredFile],
  errors: { 404: ['file_not_found'] },
})

export const getFileContent = endpoint({
  name: 'getFileContent',
  method: 'GET',
  path: '/api/files/{file_id}/content',
  tag,
  summary: 'Download a file',
  credential: 'bearer',
  params,
  download: ['application/octet-stream'],
  success: [200, null],
  errors: { 404: ['file_not_found'] },
})

export const deleteFile = endpoint({
  name: 'deleteFile',
  method: 'DELETE',
  path: '/api/files/{file_id}',
  tag,
  summary: 'Delete a file permanently',
  credential: 'bearer',
  params,
  success: [204, null],
  affects: ['listFiles', 'getFile'],
  errors: { 404: ['file_not_found'] },
})
