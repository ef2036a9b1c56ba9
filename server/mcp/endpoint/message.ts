import { budgets } from '../../platform/budgets.ts'
import { MAX_BODY_BYTES } from '../../platform/http/body.ts'
import { countProblem, measureJson } from '../../platform/http/json.ts'
import type { RawCall } from '../../platform/http/mounts.ts'

/** The JSON-RPC code for a message that cannot be parsed. */
const PARSE_ERROR = -32_700

/**
 * Reads the text of a message.
 * @returns the text, or an error response for a message that would take seconds to parse or validate.
 * @throws ApiError 413 over 1 MiB, 422 for invalid UTF-8, 400 for a body that ends early or is too slow.
 */
export const readMcpMessage = async ({
  text: read,
}: Pick<RawCall, 'text'>): Promise<string | Response> => {
  const text = await read(MAX_BODY_BYTES)
  const measure = measureJson(text)
  const problem =
    measure.depth > budgets.mcpMessage.depth
      ? 'JSON is nested too deeply'
      : countProblem(measure, { ...budgets.requestJson, ...budgets.mcpMessage })
  if (!problem) return text
  const error = { code: PARSE_ERROR, message: `Parse error: ${problem}` }
  return Response.json({ jsonrpc: '2.0', id: null, error }, { status: 400 })
}
