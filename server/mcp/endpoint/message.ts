import { MAX_BODY_BYTES, readText } from '../../platform/http/body.ts'

/** Far more than any message has; the API itself takes 64 levels of a body. */
const MAX_DEPTH = 100

/** JSON-RPC's answer to what cannot be read. */
const PARSE_ERROR = -32_700

/**
 * Reads what a message is, without taking it apart.
 * @returns the text, or the answer to one that is nested so deeply that whatever walks through it would
 * be busy for seconds, until its stack ends.
 * @throws ApiError 413 over 1 MiB, 422 for what is no UTF-8.
 */
export const readMessage = async (request: Request): Promise<string | Response> => {
  const text = await readText(request, MAX_BODY_BYTES)
  if (!isTooDeep(text)) return text
  const error = { code: PARSE_ERROR, message: 'Parse error: JSON is nested too deeply' }
  return Response.json({ jsonrpc: '2.0', id: null, error }, { status: 400 })
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c]
const OPENING = new Set([0x5b, 0x7b])
const CLOSING = new Set([0x5d, 0x7d])

const isTooDeep = (text: string): boolean => {
  let depth = 0
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (isQuoted && code === BACKSLASH) at++
    else if (code === QUOTE) isQuoted = !isQuoted
    else if (!isQuoted && OPENING.has(code)) depth++
    else if (!isQuoted && CLOSING.has(code)) depth--
    if (depth > MAX_DEPTH) return true
  }
  return false
}
