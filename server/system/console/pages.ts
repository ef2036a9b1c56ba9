import { join } from 'node:path'
import type { Elysia } from 'elysia'
import { errorText } from '../../../shared/errors.ts'
import type { Language } from '../../../shared/languages.ts'
import { repositoryFile } from '../../platform/files.ts'
import { defineErrors } from '../../platform/http/error.ts'
import { html, rawHtml } from '../../platform/http/html.ts'
import { languageOf } from '../../platform/http/language.ts'
import { typefacePath, typefaceStyle } from '../../platform/http/typeface.ts'
import type { ConsoleAssets } from './assets.ts'

const consoleError = defineErrors({
  console_asset_not_found: { status: 404, detail: errorText.notFound },
})

const FAVICON = repositoryFile('console/favicon.svg')
const PATH = '/app'
const ASSETS = `${PATH}/assets`

/** Everything comes from this server. The nonce is for the styles that react-aria adds. */
const policyFor = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    'media-src blob:',
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')

const NO_SCRIPTS: Record<Language, string> = {
  en: 'The console requires JavaScript.',
  de: 'Die Konsole braucht JavaScript.',
}

const page = (
  { style, languages }: ConsoleAssets['manifest'],
  language: Language,
  nonce: string,
): string =>
  html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta property="csp-nonce" nonce="${nonce}">
<title>svc</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="preload" href="${typefacePath}" as="font" type="font/woff2" crossorigin>
<style nonce="${nonce}">${rawHtml(typefaceStyle)}</style>
<link rel="stylesheet" href="${ASSETS}/${style}">
<script type="module" src="${ASSETS}/${languages[language].script}"></script>
</head>
<body><div id="root"></div><noscript>${NO_SCRIPTS[language]}</noscript></body>
</html>`.sourceIn(language)

/** The variants of a file, preferred ones first. */
const ENCODINGS = [
  { name: 'br', extension: '.br' },
  { name: 'gzip', extension: '.gz' },
] as const

const asset = (
  { directory, manifest }: ConsoleAssets,
  name: string,
  accepted: string,
  headers: Record<string, string> = {},
): Response => {
  if (!manifest.files.includes(name)) throw consoleError('console_asset_not_found')
  const encoding = ENCODINGS.find((each) => accepted.includes(each.name))
  const path = join(directory, name)
  return new Response(Bun.file(`${path}${encoding?.extension ?? ''}`), {
    headers: {
      'content-type': Bun.file(path).type,
      // The name contains a hash of the content.
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
      'x-content-type-options': 'nosniff',
      ...(encoding && { 'content-encoding': encoding.name }),
      ...headers,
    },
  })
}

/** Serves the console at `/app`; every path below it is a place in the console. `/` leads there. */
export const serveConsole = (app: Elysia, assets: () => Promise<ConsoleAssets>): void => {
  const options = { detail: { hide: true } }
  const respond = async ({ request }: { request: Request }): Promise<Response> => {
    const nonce = crypto.randomUUID()
    const { manifest } = await assets()
    return new Response(page(manifest, languageOf(request.headers), nonce), {
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': policyFor(nonce),
        'x-frame-options': 'DENY',
        'referrer-policy': 'same-origin',
        'cache-control': 'no-store',
      },
    })
  }
  app.get('/', () => new Response(null, { status: 302, headers: { location: PATH } }), options)
  app.get(
    '/favicon.svg',
    () =>
      new Response(Bun.file(FAVICON), { headers: { 'cache-control': 'public, max-age=86400' } }),
    options,
  )
  // Below the path that it serves, and requested anew: the browser compares it with the one that it has.
  app.get(
    `${PATH}/service-worker.js`,
    async ({ request }) => {
      const built = await assets()
      const accepted = request.headers.get('accept-encoding') ?? ''
      const { worker } = built.manifest.languages[languageOf(request.headers)]
      return asset(built, worker, accepted, {
        'cache-control': 'no-cache',
        'service-worker-allowed': PATH,
      })
    },
    options,
  )
  app.get(PATH, respond, options)
  app.get(`${PATH}/*`, respond, options)
  app.get(
    `${ASSETS}/:file`,
    async ({ params, request }) =>
      asset(await assets(), params.file, request.headers.get('accept-encoding') ?? ''),
    options,
  )
}
