import { Type } from '@sinclair/typebox'
import { withDefault } from '../schemas/common.ts'
import { ExportedMemory, ImportFormat, ImportReport } from '../schemas/transfer.ts'
import { endpoint, stream } from './endpoint.ts'

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

export const importMemories = endpoint({
  name: 'importMemories',
  method: 'POST',
  path: '/api/memories/import',
  tag,
  summary:
    'Import memories from a file: an export of svc, ChatGPT, Claude, mem0 or the MCP memory server',
  credential: 'bearer',
  query: Type.Object({ format: withDefault(ImportFormat, 'auto') }),
  file: {
    field: 'file',
    types: [
      'application/x-ndjson',
      'application/json',
      'application/jsonl',
      'application/gzip',
      'application/octet-stream',
      'text/plain',
    ],
  },
  success: [200, ImportReport],
})
