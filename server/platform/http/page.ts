import { createHash } from 'node:crypto'
import type { Cookie, Elysia } from 'elysia'
import { readText } from './body.ts'
import { ApiError } from './error.ts'
import {
  type Client,
  type CookieAt,
  checkOrigin,
  clientOf,
  cookieAt,
  type HttpContext,
  type RefreshCookie,
  refreshCookie,
} from './route.ts'

/** Text that is HTML already. Everything else that goes into a page is escaped. */
export class Html {
  constructor(readonly source: string) {}
}

type Piece = Html | string | number | false | null | undefined | Piece[]

/** Builds HTML; what is put in is escaped unless it is HTML itself. */
export const html = (parts: TemplateStringsArray, ...pieces: Piece[]): Html =>
  new Html(parts.reduce((all, part, i) => all + source(pieces[i - 1]) + part))

const source = (piece: Piece): string => {
  if (piece instanceof Html) return piece.source
  if (Array.isArray(piece)) return piece.map(source).join('')
  if (piece === false || piece === null || piece === undefined) return ''
  return String(piece).replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`)
}

export interface Page {
  title: string
  body: Html
  status?: number
  /** For reading at length, rather than for a form. */
  isWide?: boolean
  /** Not for search engines. */
  isUnlisted?: boolean
  /** Its form is answered with a way to another site, which a browser else stops as a form's. */
  leadsAway?: boolean
}

export interface PageCall {
  params: Record<string, string>
  query: URLSearchParams
  form: URLSearchParams
  client: Client
  refreshCookie: RefreshCookie
  /** Any other cookie of ours. */
  cookie: CookieAt
}

/** A page, or where to go next. */
export type PageHandler = (call: PageCall) => Promise<Page | string> | Page | string

export type MountPage = (method: 'GET' | 'POST', path: string, handle: PageHandler) => void

const MAX_FORM_BYTES = 64 * 1024

/**
 * Serves the small pages behind our links: no script, no frame, nothing from elsewhere. A form is
 * taken only from a page of our own (its Origin), and the cookie is SameSite=Lax besides.
 */
export const mountingPages =
  (app: Elysia, http: HttpContext): MountPage =>
  (method, path, handle) => {
    app.route(
      method,
      path,
      async ({ request, params, cookie, server }) => {
        const jar = refreshCookie(cookie.refresh_token as Cookie<unknown>, http)
        const form = method === 'POST' ? await readForm(request, http) : new URLSearchParams()
        const page = await Promise.resolve(
          handle({
            params,
            query: new URL(request.url).searchParams,
            form,
            client: clientOf(request, http, server),
            refreshCookie: jar,
            cookie: cookieAt(cookie),
          }),
        ).catch(asPage)
        if (typeof page === 'string')
          return new Response(null, { status: 303, headers: { location: page, ...HEADERS } })
        return new Response(render(page), {
          status: page.status ?? 200,
          headers: {
            'content-type': 'text/html; charset=utf-8',
            ...(page.isUnlisted && { 'x-robots-tag': 'noindex, nofollow' }),
            ...HEADERS,
            ...(page.leadsAway && { 'content-security-policy': policy('') }),
          },
        })
      },
      { config: {}, parse: 'none', detail: { hide: true } },
    )
  }

const readForm = async (request: Request, http: HttpContext): Promise<URLSearchParams> => {
  if (request.headers.get('origin') === null) throw new ApiError(403, 'Origin not allowed')
  checkOrigin(request, http)
  return new URLSearchParams(await readText(request, MAX_FORM_BYTES))
}

/** What a person did wrong, to be told where they did it. */
export interface Fault {
  status: number
  message: string
}

/** @throws whatever is not to be shown to a person. */
export const asFault = (error: unknown): Fault => {
  if (error instanceof ApiError) return error
  throw error
}

export const alert = (fault: Fault | undefined): Html | undefined =>
  fault && html`<p role="alert">${fault.message}</p>`

/** Errors that a service throws at a person are shown to that person. */
const asPage = (error: unknown): Page => {
  const fault = asFault(error)
  return {
    title: 'That did not work',
    status: fault.status,
    body: html`<h1>That did not work</h1>${alert(fault)}`,
  }
}

const STYLE = `
:root { color-scheme: light dark; --ink: #1a1d21; --paper: #f6f7f9; --card: #fff; --line: #d5d9e0;
  --quiet: #5b6470; --accent: #1f5fd0; --on-accent: #fff; --bad: #b3261e }
@media (prefers-color-scheme: dark) { :root { --ink: #e8eaee; --paper: #14161a; --card: #1d2026;
  --line: #3a404a; --quiet: #a2abb8; --accent: #7aa7ff; --on-accent: #0b1a33; --bad: #ff9a92 } }
* { box-sizing: border-box }
/* The column is as wide as the window, however long the lines of code in it. */
body { margin: 0; min-height: 100vh; display: grid; grid-template-columns: minmax(0, 1fr);
  place-items: center; padding: 1rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif }
main { width: 100%; max-width: 26rem; padding: 2rem; background: var(--card);
  border: 1px solid var(--line); border-radius: 12px; overflow-wrap: anywhere }
h1 { margin: 0 0 .75rem; font-size: 1.35rem; line-height: 1.25 }
h2 { margin: 1.75rem 0 .5rem; font-size: 1.05rem }
p { margin: 0 0 1rem } .quiet { color: var(--quiet); font-size: .9rem }
main > p:last-child, main > form:last-child > p:last-child { margin: 0 }
label { display: block; margin-bottom: .9rem; font-size: .9rem; font-weight: 600 }
input, select { display: block; width: 100%; margin-top: .25rem; padding: .6rem .7rem; font: inherit;
  font-weight: 400; color: inherit; background: var(--paper); border: 1px solid var(--line);
  border-radius: 8px }
input.code { font: 600 1.4rem/1.4 ui-monospace, monospace; letter-spacing: .15em;
  text-transform: uppercase; text-align: center }
button { padding: .65rem 1rem; font: inherit; font-weight: 600; border-radius: 8px; cursor: pointer;
  border: 1px solid var(--accent); background: var(--accent); color: var(--on-accent) }
button.second { background: transparent; color: var(--ink); border-color: var(--line) }
/* A double click begun on another page, whose place this one takes meanwhile, does not hit it. */
button.decisive { animation: settle .8s step-end }
@keyframes settle { from { pointer-events: none } }
button.link { padding: 0; border: 0; background: none; color: var(--accent); font-weight: 400;
  text-decoration: underline }
a { color: var(--accent) } :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
.row { display: flex; gap: .75rem } .row > * { flex: 1 }
dl { margin: 0 0 1.25rem; display: grid; grid-template-columns: auto 1fr; gap: .35rem 1rem }
dt { color: var(--quiet) } dd { margin: 0 }
@media (max-width: 26rem) { main { padding: 1.25rem } dl { display: block }
  dd { margin-bottom: .6rem } }
.tiers { display: grid; grid-template-columns: repeat(auto-fit, minmax(14rem, 1fr)); gap: 0 2.5rem }
.tiers dl { display: grid; margin: 0 } .tiers dd { margin: 0 }
[role=alert] { color: var(--bad); font-weight: 600 }
main.wide { max-width: 46rem; align-self: start }
.said { padding-top: 1.25rem; margin-top: 1.25rem; border-top: 1px solid var(--line) }
.said h2 { margin: 0 0 .5rem; font-size: .9rem; color: var(--quiet) }
.said p { white-space: pre-wrap }
.said > :last-child { margin-bottom: 0 }
pre { margin: 0 0 1rem; padding: .75rem; overflow-x: auto; background: var(--paper);
  border: 1px solid var(--line); border-radius: 8px; overflow-wrap: normal;
  font: .875rem/1.5 ui-monospace, monospace; tab-size: 4 }
.code-shown { font: 600 1.5rem/1.6 ui-monospace, monospace; letter-spacing: .15em }
`

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

const policy = (forms: string): string =>
  `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; ${forms}base-uri 'none'; frame-ancestors 'none'`

const HEADERS = {
  'content-security-policy': policy(`form-action 'self'; `),
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  // Not no-referrer: that would also blank the Origin that forms are checked by.
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
}

const render = ({ title, body, isWide }: Page): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · svc</title>
<style>${new Html(STYLE)}</style>
</head>
<body><main${isWide && new Html(' class="wide"')}>${body}</main></body>
</html>`.source
