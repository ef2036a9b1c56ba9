import type { McpServer } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { JsonLines } from './json-lines.ts'

/** The transport reads a filtered copy of stdin, so closing it must also release stdin. */
class FilteredTransport extends StdioServerTransport {
  override async close(): Promise<void> {
    await super.close()
    process.stdin.pause()
  }
}

/** Serves MCP on stdin and stdout until stdin ends. Invalid lines get an error response. */
export const serveProcess = (
  build: () => McpServer,
  { onerror }: { onerror: (error: Error) => void },
): void => {
  const respond = (error: object) => process.stdout.write(`${JSON.stringify(error)}\n`)
  const lines = process.stdin.pipe(new JsonLines(respond))
  const transport = new FilteredTransport(lines as unknown as typeof process.stdin)
  serveStdio(build, { onerror, transport })
}
