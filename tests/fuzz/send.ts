import type { Endpoint } from '../../shared/contract/endpoint.ts'
import type { Case } from './corpus.ts'

export interface Outcome {
  status: number
  /** Undefined for a response that is not JSON, and for a stream, which is not read. */
  body: unknown
}

/** Sends one case with the client address of a trusted proxy. */
export const sendCase = async (
  url: string,
  row: Endpoint,
  { path, contentType, body }: Case,
  { token, from }: { token: string; from: string },
): Promise<Outcome> => {
  const response = await fetch(new URL(path, url), {
    method: row.method,
    redirect: 'manual',
    headers: {
      'x-forwarded-for': from,
      authorization: `Bearer ${token}`,
      ...(contentType !== undefined && { 'content-type': contentType }),
    },
    ...(body !== undefined && row.method !== 'GET' && { body }),
  })
  const { status, headers } = response
  const isJson = /^application\/(?:scim\+)?json/.test(headers.get('content-type') ?? '')
  if (isJson) return { status, body: await response.json() }
  await response.body?.cancel()
  return { status, body: undefined }
}
