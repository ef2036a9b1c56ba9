import { readFileSync } from 'node:fs'
import { swagger } from '@elysiajs/swagger'
import type { Elysia } from 'elysia'
import { basePathOf } from '../../../shared/urls.ts'
import { packageFile, repositoryFile } from '../files.ts'
import type { describeApi } from './openapi/api.ts'

const PATH = '/api/docs'

/** Loads Swagger UI from this server, so the page works offline and contacts no third party. */
const pageFor = (basePath: string): string =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>svc API</title>
<link rel="icon" href="${basePath}/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${basePath}${PATH}/swagger-ui.css">
</head>
<body>
<main id="api"></main>
<script src="${basePath}${PATH}/swagger-ui-bundle.js"></script>
<script src="${basePath}${PATH}/start.js"></script>
</body>
</html>
`

const START = readFileSync(repositoryFile('server/platform/http/docs-start.js'))

/** Swagger UI has icons in data: URLs. */
const policyFor = (apiOrigin: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src 'self' ${apiOrigin}`,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')

const ASSETS = {
  'swagger-ui-bundle.js': packageFile('swagger-ui-dist/swagger-ui-bundle.js'),
  'swagger-ui.css': packageFile('swagger-ui-dist/swagger-ui.css'),
}

/** Serves the OpenAPI description at `/api/docs/json` and Swagger UI at `/api/docs`. */
export const serveDocs = (
  app: Elysia,
  documentation: ReturnType<typeof describeApi>,
  baseUrl: string,
): void => {
  app.use(swagger({ path: PATH, documentation }))
  const page = pageFor(basePathOf(baseUrl))
  const hidden = { detail: { hide: true } }
  const shared = { 'cache-control': 'no-cache' }
  // Registered after the plugin, so that it replaces the plugin's page.
  app.get(
    PATH,
    () =>
      new Response(page, {
        headers: {
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy': policyFor(new URL(baseUrl).origin),
          'x-frame-options': 'DENY',
          'referrer-policy': 'no-referrer',
          ...shared,
        },
      }),
    hidden,
  )
  app.get(
    `${PATH}/start.js`,
    () => new Response(START, { headers: { 'content-type': 'text/javascript', ...shared } }),
    hidden,
  )
  for (const [name, path] of Object.entries(ASSETS))
    app.get(
      `${PATH}/${name}`,
      () => new Response(Bun.file(path), { headers: { 'cache-control': 'public, max-age=3600' } }),
      hidden,
    )
}
