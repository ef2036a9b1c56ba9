import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Elysia } from 'elysia'
import { budgets } from '../budgets.ts'
import { repositoryFile } from '../files.ts'
import { readText } from './body.ts'
import { clientOf, type HttpContext, type RequestClient } from './context.ts'
import {
  type CookieAt,
  type CookieChange,
  cookieAt,
  type RefreshCookie,
  recordCookies,
  refreshCookie,
} from './cookies.ts'
import { ApiError, httpError } from './error.ts'
import { type Html, html, localized, type PageReader, rawHtml, t } from './html.ts'
import { languageOf } from './language.ts'
import { motif } from './motif.ts'
import { numberForms } from './submissions.ts'
import { errorIn } from './texts/catalogs.ts'
import { typefacePath, typefaceStyle } from './typeface.ts'
import { pathOf, queryOf } from './url.ts'

export interface Page {
  title: Html | string
  body: Html
  status?: number
  /** A wide column, for long texts. */
  isWide?: boolean
  /** Search engines must not index it. */
  isUnlisted?: boolean
  /** Offers to show the typed password. */
  hasPassword?: boolean
  /** Offers to sign in with a passkey. */
  hasPasskey?: boolean
  /** Its form redirects to another site, which `form-action 'self'` would block. */
  leadsAway?: boolean
}

export interface PageCall {
  params: Record<string, string>
  query: URLSearchParams
  form: URLSearchParams
  client: RequestClient
  refreshCookie: RefreshCookie
  /** Any other cookie of the server. */
  cookie: CookieAt
}

/** Returns a page, or the URL of a redirect. */
export type PageHandler = (call: PageCall) => Promise<Page | string> | Page | string

export type MountPage = (method: 'GET' | 'POST', path: string, handle: PageHandler) => void

/**
 * Serves HTML pages without frames and external resources; they work without scripts. A form must come
 * from a page of the server itself: a web app that may use the API decides nothing for the user.
 */
export const mountingPages =
  (app: Elysia, http: HttpContext): MountPage =>
  (method, path, handle) => {
    app.route(
      method,
      path,
      async ({ request, params, cookie, server }) => {
        const form = method === 'POST' ? await readForm(request, http) : ''
        const { basePath } = http
        const respond = async (): Promise<Outcome> => {
          const recorded = recordCookies(cookie)
          const page = await Promise.resolve(
            handle({
              params,
              query: queryOf(request.url) ?? new URLSearchParams(),
              form: new URLSearchParams(form),
              client: clientOf(request, http, server),
              refreshCookie: refreshCookie(recorded.at('refresh_token'), http),
              cookie: cookieAt(recorded.at, http),
            }),
          ).catch(asPage)
          return {
            ...outcomeOf(page, { basePath, language: languageOf(request.headers) }),
            cookies: recorded.changes,
          }
        }
        const { body, status, headers, cookies } = await http.submissions.once(
          pathOf(request.url),
          form,
          respond,
        )
        for (const { name, change } of cookies) cookie[name]?.set(change)
        return new Response(body, { status, headers })
      },
      { config: {}, parse: 'none', detail: { hide: true } },
    )
  }

/** The target of a redirect: a path is one of the server. */
export const locationBelow = (basePath: string, location: string): string =>
  location.startsWith('/') && !location.startsWith('//') ? basePath + location : location

/** A response, as it can be sent again. */
interface Outcome {
  body: string | null
  status: number
  headers: Record<string, string>
  cookies: CookieChange[]
}

const outcomeOf = (page: Page | string, reader: PageReader): Omit<Outcome, 'cookies'> => {
  const { basePath } = reader
  if (typeof page === 'string') {
    const location = locationBelow(basePath, page)
    return { body: null, status: 303, headers: { location, ...headersFor(basePath) } }
  }
  return {
    body: render(page, reader),
    status: page.status ?? 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      ...(page.isUnlisted && { 'x-robots-tag': 'noindex, nofollow' }),
      ...headersFor(basePath),
      ...(page.leadsAway && { 'content-security-policy': policy('', basePath) }),
    },
  }
}

/** The page for an address that a person has opened and that does not exist; undefined for other requests. */
export const missingPage = (
  { method, url, headers }: Request,
  basePath: string,
): Response | undefined => {
  const isOpened = method === 'GET' && headers.get('accept')?.includes('text/html')
  if (!isOpened || pathOf(url).startsWith('/api/')) return undefined
  const page = {
    title: t`Page not found`,
    status: 404,
    body: html`<h1>${t`Page not found`}</h1><p>${t`There is no page at this address.`}</p>${openConsole}`,
  }
  const { body, ...init } = outcomeOf(page, { basePath, language: languageOf(headers) })
  return new Response(body, init)
}

const readForm = async (request: Request, http: HttpContext): Promise<string> => {
  if (!http.ownOrigins.has(request.headers.get('origin') ?? ''))
    throw httpError('origin_not_allowed')
  return readText(request, budgets.pageForm.bytes, http.bodyPace)
}

/** An error that a page shows to the user. */
export interface PageError {
  status: number
  message: string
}

/** Returns an ApiError as the error of a page. @throws any other error. */
export const asPageError = (error: unknown): PageError => {
  if (error instanceof ApiError) return error
  throw error
}

export const alert = (error: PageError | undefined): Html | undefined =>
  error && html`<p role="alert">${localized((language) => errorIn(language, error.message))}</p>`

/** The next step of a page that ends something. */
export const nextStep = (href: string, label: Html): Html =>
  html`<p><a class="button" href="${href}">${label}</a></p>`

/** The console, which offers what an account can do. */
export const openConsole: Html = nextStep('/app', t`Open svc`)

/** Converts a service's ApiError to a page. */
const asPage = (thrown: unknown): Page => {
  const error = asPageError(thrown)
  return {
    title: t`The request failed`,
    status: error.status,
    body: html`<h1>${t`The request failed`}</h1>${alert(error)}${openConsole}`,
  }
}

const read = (path: string) => readFileSync(path, 'utf8')

/** The typeface and the tokens of the console, then the styles of pages. */
const REST_OF_STYLE = [
  read(repositoryFile('console/styles/typeface.css')),
  read(repositoryFile('console/styles/tokens.css')),
  read(repositoryFile('server/platform/http/page.css')),
].join('\n')
const SHOW_PASSWORD_PATH = '/show-password.js'
const PASSKEY_PATH = '/passkey.js'
const SUBMIT_ONCE_PATH = '/submit-once.js'
/** The scripts of pages, by path. */
const SCRIPTS = {
  [SHOW_PASSWORD_PATH]: read(repositoryFile('server/platform/http/show-password.js')),
  [SUBMIT_ONCE_PATH]: read(repositoryFile('server/platform/http/submit-once.js')),
  [PASSKEY_PATH]: read(repositoryFile('server/platform/http/passkey.js')),
}

/** A server has one base path. */
const styles = new Map<string, { style: string; hash: string }>()

const styleFor = (basePath: string): { style: string; hash: string } => {
  const known = styles.get(basePath)
  if (known) return known
  const style = `${typefaceStyle(basePath)}\n${REST_OF_STYLE}`
  const built = { style, hash: createHash('sha256').update(style).digest('base64') }
  styles.set(basePath, built)
  return built
}

const policy = (forms: string, basePath: string): string =>
  `default-src 'none'; style-src 'sha256-${styleFor(basePath).hash}'; script-src 'self'; img-src 'self'; font-src 'self'; ${forms}base-uri 'none'; frame-ancestors 'none'`

const headersFor = (basePath: string) => ({
  'content-security-policy': policy(`form-action 'self'; `, basePath),
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  // Not no-referrer, which would also remove the Origin header that forms need.
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
})

const MARK = rawHtml(
  read(repositoryFile('console/favicon.svg')).replace('<svg ', '<svg aria-hidden="true" '),
)

const ART = rawHtml(`<div class="art">${motif}</div>`)

const render = (
  { title, body, isWide, hasPassword, hasPasskey }: Page,
  reader: PageReader,
): string =>
  html`<!doctype html>
<html lang="${reader.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · svc</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="preload" href="${typefacePath}" as="font" type="font/woff2" crossorigin>
<style>${rawHtml(styleFor(reader.basePath).style)}</style>
${hasPassword && html`<script src="${SHOW_PASSWORD_PATH}" defer></script>`}
<script src="${SUBMIT_ONCE_PATH}" defer></script>
${hasPasskey && html`<script src="${PASSKEY_PATH}" defer></script>`}
</head>
<body${!isWide && rawHtml(' class="beside"')}>${!isWide && ART}<header><a href="/">${MARK} svc</a></header>
<main${isWide && rawHtml(' class="wide"')}>${numberForms(body.sourceFor(reader))}</main></body>
</html>`.sourceFor(reader)

/** Serves the scripts of pages. */
export const servePageScripts = (app: Elysia): void => {
  const headers = { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'no-cache' }
  for (const [path, script] of Object.entries(SCRIPTS))
    app.get(path, () => new Response(script, { headers }), { detail: { hide: true } })
}
