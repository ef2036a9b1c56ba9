import type { McpServer } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { JsonLines } from './json-lines.ts'

const PARSE_ERROR = {
  jsonrpc: '2.0',
  id: null,
  error: { code: -32_700, message: 'Parse error: the line is not valid JSON' },
}

/** The transport reads a filtered copy of stdin, so closing it must also release stdin. */
class FilteredTransport extends StdioServerTransport {
  override async close(): Promise<void> {
    await super.close()
    process.stdin.pause()
  }
}

/** Serves MCP on stdin and stdout until stdin ends. A line that is not JSON gets error -32700. */
export const serveProcess = (
  build: () => McpServer,
  { onerror }: { onerror: (error: Error) => void },
): void => {
  const sendParseError = () => process.stdout.write(`${JSON.stringify(PARSE_ERROR)}\n`)
  const lines = process.stdin.pipe(new JsonLines(sendParseError))
  const transport = new FilteredTransport(lines as unknown as typeof process.stdin)
  serveStdio(build, { onerror, transport })
}
