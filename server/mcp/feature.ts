import type { AccountServices } from '../account/account.ts'
import { defineFeature } from '../feature.ts'
import { deriveKeys } from '../platform/secrets/derived-keys.ts'
import { createClientAnswers } from './answers.ts'
import { mcpRoutes } from './routes.ts'

/** The tools of memory for assistants, over the Model Context Protocol. */
export const mcp = defineFeature({
  name: 'mcp',
  start: (
    { database, authSecrets },
    { account }: { account: Pick<AccountServices, 'grants'> },
  ) => ({
    grants: account.grants,
    answers: createClientAnswers(database),
    stateKeys: deriveKeys(authSecrets, 'svc:mcp-request-state'),
  }),
  serve: ({ app, mountRaw, http, baseUrl }, mcp) =>
    mcpRoutes(mountRaw, { ...mcp, http, baseUrl, dispatch: async (request) => app.fetch(request) }),
  close: ({ answers }) => [{ name: 'MCP answers', stop: answers.close }],
})
