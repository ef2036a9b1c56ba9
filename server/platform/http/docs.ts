import { swagger } from '@elysiajs/swagger'
import type { Elysia } from 'elysia'
import type { describeApi } from './openapi.ts'

const PATH = '/api/docs'

/**
 * Draws the description with Swagger UI from our own files: the page works without the internet, and
 * tells nobody that it was opened.
 */
const START = `
document.head.insertAdjacentHTML('beforeend', '<link rel="stylesheet" href="${PATH}/swagger-ui.css">')
document.body.insertAdjacentHTML('beforeend', '<main id="api"></main>')
const script = document.createElement('script')
script.src = '${PATH}/swagger-ui-bundle.js'
script.onload = () => SwaggerUIBundle({ url: '${PATH}/json', dom_id: '#api', deepLinking: true })
document.body.append(script)
`

const asset = (name: string) =>
  Bun.file(Bun.resolveSync(`swagger-ui-dist/${name}`, import.meta.dir))

/** Serves the API's description at `/api/docs/json`, and as a page at `/api/docs`. */
export const serveDocs = (app: Elysia, documentation: ReturnType<typeof describeApi>): void => {
  app.use(
    swagger({
      path: PATH,
      documentation,
      scalarCDN: `${PATH}/start.js`,
      scalarConfig: { customCss: '' },
    }),
  )
  const hidden = { detail: { hide: true } }
  const headers = { 'content-type': 'text/javascript', 'cache-control': 'no-cache' }
  app.get(`${PATH}/start.js`, () => new Response(START, { headers }), hidden)
  for (const name of ['swagger-ui-bundle.js', 'swagger-ui.css'])
    app.get(`${PATH}/${name}`, () => new Response(asset(name)), hidden)
}
