import type { ExportedMemory } from '../../shared/contract/transfer.ts'
import type { TestUser } from '../harness/server.ts'

interface Target {
  url: string
}

/** Reads a user's export without the typed client. */
export const exportOf = async (server: Target, { key }: TestUser): Promise<ExportedMemory[]> => {
  const response = await fetch(new URL('/api/memories/export', server.url), {
    headers: { authorization: `Bearer ${key}` },
  })
  if (response.status !== 200) throw new Error(`the export returned ${response.status}`)
  const text = await response.text()
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
}

export type Body = string | Uint8Array<ArrayBuffer> | FormData | ReadableStream<Uint8Array>

/** Imports a file without the typed client. */
export const importFile = async (
  server: Target,
  { key }: TestUser,
  body: Body,
  { type = 'application/x-ndjson', query = '' } = {},
) => {
  const response = await fetch(new URL(`/api/memories/import${query}`, server.url), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      ...(!(body instanceof FormData) && { 'content-type': type }),
    },
    body,
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

export const linesOf = (values: unknown[]): string =>
  values.map((value) => `${JSON.stringify(value)}\n`).join('')

/** Replaces the ids of an export by its line numbers, and drops the signatures, to compare two exports. */
export const withoutIds = (memories: ExportedMemory[]) => {
  const places = new Map(memories.map(({ memory_id }, i) => [memory_id, `#${i}`]))
  const placeOf = (id: string | null) => id && (places.get(id) ?? 'elsewhere')
  return memories.map(({ memory_id: _, signature: _signature, ...memory }) => ({
    ...memory,
    metadata: Array.isArray(memory.metadata.links)
      ? { ...memory.metadata, links: memory.metadata.links.map((id) => places.get(id) ?? id) }
      : memory.metadata,
    supersedes: placeOf(memory.supersedes),
    superseded_by: placeOf(memory.superseded_by),
  }))
}
