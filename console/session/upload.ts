import type { Send } from '../../shared/client-session.ts'
import { common } from '../texts/common.ts'

const abortError = () => new DOMException(common.uploadCancelled, 'AbortError')

/**
 * Sends a request with its progress: `fetch` does not report how much of a body was sent.
 * @param onProgress called with the share that was sent, 0-1.
 */
export const sendWithProgress =
  (onProgress: (share: number) => void): Send =>
  (url, { method = 'POST', headers, body, signal }) =>
    new Promise((resolve, reject) => {
      // A signal that was aborted while the token was requested fires no event.
      signal?.throwIfAborted()
      const request = new XMLHttpRequest()
      request.open(method, url)
      for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value)
      request.responseType = 'text'
      request.upload.onprogress = ({ loaded, total }) => onProgress(total ? loaded / total : 1)
      request.onload = () =>
        resolve(
          new Response(request.response, { status: request.status, headers: headersOf(request) }),
        )
      request.onerror = () => reject(new TypeError(common.uploadFailed))
      request.onabort = () => reject(signal?.reason ?? abortError())
      signal?.addEventListener('abort', () => request.abort())
      if (body instanceof ReadableStream) reject(new TypeError('A stream has no known length'))
      else request.send(body ?? null)
    })

const headersOf = (request: XMLHttpRequest): Headers => {
  const headers = new Headers()
  for (const line of request.getAllResponseHeaders().trim().split('\r\n')) {
    const colon = line.indexOf(':')
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim())
  }
  return headers
}
