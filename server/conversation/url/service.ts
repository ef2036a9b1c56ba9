import { readUrl } from '../../../shared/contract/index.ts'
import type { ReadUrl, UrlPage } from '../../../shared/contract/url.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Fetcher } from '../../platform/fetch/fetcher.ts'
import { FetchFailure } from '../../platform/fetch/request.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { defineErrors, type ErrorRow, RateLimited } from '../../platform/http/error.ts'
import { defineLimit, type Limiter, MINUTE_SECONDS } from '../../platform/http/limits.ts'
import type { Mount } from '../../platform/http/route.ts'
import type { DocumentReader } from '../../platform/text/reader.ts'
import { Unreadable } from '../../platform/text/types.ts'
import type { UsageService } from '../../usage/counts/service.ts'
import { deleteOldSnapshots, findSnapshot, saveSnapshot } from './store.ts'
import type { UrlSnapshotRow } from './table.ts'

const badUrl = (type: string, msg: string): ErrorRow => ({
  status: 422,
  detail: [{ loc: ['body', 'url'], type, msg }],
})

const urlError = defineErrors({
  url_malformed: badUrl('url_parsing', 'Input should be a valid URL'),
  url_scheme_unsupported: badUrl('url_scheme', "URL scheme should be 'http' or 'https'"),
  url_has_credentials: badUrl('value_error', 'URL should carry no user name and password'),

  /** Not 502: a client would retry a URL that is never fetched. */
  url_forbidden: (detail: string, cause: unknown) => ({ status: 400, detail, cause }),
  url_unreadable: (detail: string, cause: unknown) => ({ status: 502, detail, cause }),
})

type UrlService = ReturnType<typeof createUrlService>

interface UrlDeps {
  database: Database
  limiter: Limiter
  fetcher: Fetcher
  reader: DocumentReader
  usage: Pick<UsageService, 'consumeDuring'>
  /** For DNS, all redirects, fetching and reading together. */
  timeoutMs: number
}

/** Snapshots of one user; older ones are deleted. */
const MAX_SNAPSHOTS = 200

export const createUrlService = ({
  database: { db },
  limiter,
  fetcher,
  reader,
  usage,
  timeoutMs,
}: UrlDeps) => {
  /**
   * Fetches a page and stores its text as a snapshot of the user.
   * @throws ApiError 400 for an address that is not public, 502 for a page that cannot be read.
   */
  const snapshot = async (userId: string, start: URL): Promise<UrlPage> => {
    const signal = AbortSignal.timeout(timeoutMs)
    const { url, document } = await fetchDocument(start, signal).catch((error) => {
      throw toApiError(error)
    })
    const { text, title, hash, excerpt, wordCount } = document
    await db.transaction(async (tx) => {
      await saveSnapshot(tx, { userId, hash, url, title, text })
      await deleteOldSnapshots(tx, userId, MAX_SNAPSHOTS)
    })
    return {
      url,
      title,
      text,
      excerpt,
      word_count: wordCount,
      snapshot_hash: hash,
    }
  }

  const fetchDocument = async (start: URL, signal: AbortSignal) => {
    const { url, bytes, contentType } = await fetcher.get(start, signal)
    const document = await reader.read({ bytes, contentType, name: fallbackTitle(url) }, signal)
    return { url: url.href, document }
  }

  /** @throws ApiError 422 for an invalid URL, 429 after ten pages in a minute. */
  const checkRequest = async ({ userId }: Caller, body: ReadUrl): Promise<URL> => {
    const url = parseUrl(body.url)
    await limiter.consume(urlLimit, userId)
    return url
  }

  return {
    /** Reads a page for a message. Only the message counts as usage. @throws ApiError as `read`. */
    readForMessage: async (caller: Caller, body: ReadUrl): Promise<UrlPage> =>
      snapshot(caller.userId, await checkRequest(caller, body)),

    /**
     * Reads a page, which counts as usage of the month.
     * @throws ApiError 422 for an invalid URL, 429 over a limit, 400 for an address that is not public, 502
     * for a page that cannot be read.
     */
    async read(caller: Caller, body: ReadUrl): Promise<UrlPage> {
      const url = await checkRequest(caller, body)
      return usage.consumeDuring(caller.userId, 'urls', () => snapshot(caller.userId, url))
    },

    /** A snapshot of the user's. */
    find: (userId: string, hash: string): Promise<UrlSnapshotRow | undefined> =>
      findSnapshot(db, userId, hash),
  }
}

/** @throws ApiError 422 */
const parseUrl = (text: string): URL => {
  const url = URL.parse(text)
  if (!url) throw urlError('url_malformed')
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw urlError('url_scheme_unsupported')
  if (url.username || url.password) throw urlError('url_has_credentials')
  return url
}

/** The title of a page without one: its file name, or its host. */
const fallbackTitle = (url: URL): string => {
  const last = url.pathname.split('/').findLast((part) => part !== '')
  try {
    return last ? decodeURIComponent(last) : url.hostname
  } catch {
    return last ?? url.hostname
  }
}

const toApiError = (error: unknown): unknown => {
  if (!(error instanceof FetchFailure || error instanceof Unreadable)) return error
  const isForbidden = error instanceof FetchFailure && error.reason === 'refused'
  return urlError(isForbidden ? 'url_forbidden' : 'url_unreadable', error.message, error.cause)
}

/** Pages that a user reads; the contract gives its 429 a body of its own. */
export const urlLimit = defineLimit({
  name: 'urls',
  per: 'user',
  points: 10,
  windowSeconds: MINUTE_SECONDS,
  exceeded: (seconds) => new RateLimited(seconds, 'POST'),
})

export const urlRoutes = (mount: Mount, urls: UrlService): void => {
  mount(readUrl, ({ caller, body }) => urls.read(caller, body))
}
