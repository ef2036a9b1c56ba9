import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import type { Elysia } from 'elysia'
import { errorText } from '../../../shared/errors.ts'
import { repositoryFile } from '../../platform/files.ts'
import { defineErrors } from '../../platform/http/error.ts'
import { html, type PageReader, rawHtml, t } from '../../platform/http/html.ts'
import { languageOf } from '../../platform/http/language.ts'
import { typefacePath, typefaceStyle } from '../../platform/http/typeface.ts'
import type { ConsoleAssets } from './assets.ts'

const consoleError = defineErrors({
  console_asset_not_found: { status: 404, detail: errorText.notFound },
})

const FAVICON = repositoryFile('console/favicon.svg')
const PATH = '/app'
const ASSETS = `${PATH}/assets`

/**
 * Everything comes from this server. The nonce is for the styles that react-aria adds, the hash for the script of
 * the page.
 */
const policyFor = (nonce: string, start: string): string =>
  [
    "default-src 'none'",
    `script-src 'self' 'sha256-${createHash('sha256').update(start).digest('base64')}'`,
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

/** The scripts of the first screen are loaded beside the entry point, which names them late. */
const page = (
  { style, start, languages }: ConsoleAssets['manifest'],
  { language, basePath }: PageReader,
  { nonce, isHome, featuresOff }: { nonce: string; isHome: boolean; featuresOff: string[] },
): string =>
  html`<!doctype html>
<html lang="${language}" data-base="${basePath}" data-off="${featuresOff.join(' ')}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta property="csp-nonce" nonce="${nonce}">
<title>svc</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="preload" href="${typefacePath}" as="font" type="font/woff2" crossorigin>
<style nonce="${nonce}">${rawHtml(typefaceStyle(basePath))}</style>
<script>${rawHtml(start)}</script>
<link rel="stylesheet" href="${ASSETS}/${style}">
<script type="module" src="${ASSETS}/${languages[language].script}"></script>
${isHome && languages[language].home.map((file) => html`<link rel="modulepreload" href="${ASSETS}/${file}">`)}
</head>
<body><div id="root"></div><noscript>${t`The console requires JavaScript.`}</noscript></body>
</html>`.sourceFor({ language, basePath })

/** The variants of a file, preferred ones first. */
const ENCODINGS = [
  { name: 'br', extension: '.br' },
  { name: 'gzip', extension: '.gz' },
] as const

const decompress = promisify(brotliDecompress)

const asset = async (
  { directory, manifest }: ConsoleAssets,
  name: string,
  accepted: string,
  headers: Record<string, string> = {},
): Promise<Response> => {
  if (!manifest.files.includes(name)) throw consoleError('console_asset_not_found')
  const encoding = ENCODINGS.find((each) => accepted.includes(each.name))
  const path = join(directory, name)
  const content = encoding
    ? Bun.file(`${path}${encoding.extension}`)
    : await decompress(await Bun.file(`${path}.br`).bytes())
  return new Response(content, {
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
export const serveConsole = (
  app: Elysia,
  assets: () => Promise<ConsoleAssets>,
  { basePath, featuresOff }: { basePath: string; featuresOff: string[] },
): void => {
  const hidden = { detail: { hide: true } }
  const respond = async ({ request, path }: { request: Request; path: string }) => {
    const nonce = crypto.randomUUID()
    const { manifest } = await assets()
    const options = { nonce, featuresOff, isHome: path === PATH }
    return new Response(
      page(manifest, { basePath, language: languageOf(request.headers) }, options),
      {
        headers: {
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy': policyFor(nonce, manifest.start),
          'x-frame-options': 'DENY',
          'referrer-policy': 'same-origin',
          'cache-control': 'no-store',
        },
      },
    )
  }
  app.get(
    '/',
    () => new Response(null, { status: 302, headers: { location: basePath + PATH } }),
    hidden,
  )
  app.get(
    '/favicon.svg',
    () =>
      new Response(Bun.file(FAVICON), { headers: { 'cache-control': 'public, max-age=86400' } }),
    hidden,
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
        'service-worker-allowed': basePath + PATH,
      })
    },
    hidden,
  )
  app.get(PATH, respond, hidden)
  app.get(`${PATH}/*`, respond, hidden)
  app.get(
    `${ASSETS}/:file`,
    async ({ params, request }) =>
      asset(await assets(), params.file, request.headers.get('accept-encoding') ?? ''),
    hidden,
  )
}
