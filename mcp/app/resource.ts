import type { McpServer } from '@modelcontextprotocol/server'
import { APP_MIME_TYPE } from '../client-capabilities.ts'

/** The page that shows a recall. */
export const MEMORIES_APP_URI = 'ui://svc/memories.html'

/**
 * Serves the page as a resource (MCP Apps). It is not listed: the tool names it.
 * @param tools the names of those that the page may call.
 */
export const serveApp = (server: McpServer, tools: readonly string[]): void => {
  server.registerResource(
    'memories-app',
    MEMORIES_APP_URI,
    { title: 'Recalled memories', mimeType: APP_MIME_TYPE },
    async () => {
      // Built on the first read, or when the program is bundled.
      const { page } = await import('./page.ts')
      return {
        contents: [
          {
            uri: MEMORIES_APP_URI,
            mimeType: APP_MIME_TYPE,
            text: page.replace('data-tools=""', `data-tools="${tools.join(' ')}"`),
            // Without domains the page has no network.
            _meta: { ui: { csp: {}, prefersBorder: true } },
          },
        ],
      }
    },
  )
}
