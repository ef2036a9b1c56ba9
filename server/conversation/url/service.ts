import type { ReadUrl, UrlPage } from '../../../shared/schemas/url.ts'
import type { UsageService } from '../../billing/usage/service.ts'
import type { Database } from '../../platform/db/database.ts'
import { FetchFailure } from '../../platform/fetch/failure.ts'
import type { Fetcher } from '../../platform/fetch/fetcher.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/error.ts'
import type { Limits } from '../../platform/http/limits.ts'
import { Unreadable } from '../../platform/text/document.ts'
import type { Reader } from '../../platform/text/reader.ts'
import { deleteOldSnapshots, findSnapshot, keepSnapshot } from './store.ts'
import type { UrlSnapshotRow } from './table.ts'

export type UrlService = ReturnType<typeof createUrlService>

export interface UrlSettings {
  /** For looking up, fetching, every redirect and reading together. */
  timeoutMs: number
}

const KEPT_SNAPSHOTS = 200

export const createUrlService = (
  { db }: Database,
  limits: Pick<Limits, 'urls'>,
  fetcher: Fetcher,
  reader: Reader,
  usage: Pick<UsageService, 'during'>,
  settings: UrlSettings,
) => {
  /**
   * Fetches a page for somebody and keeps its text for them.
   * @throws ApiError 502 when it cannot be had, with what was in the way.
   */
  const take = async (userId: string, start: URL): Promise<UrlPage> => {
    const signal = AbortSignal.timeout(settings.timeoutMs)
    const found = await read(start, signal).catch((error) => {
      throw asApiError(error)
    })
    const { text, title, hash } = found.document
    await db.transaction(async (tx) => {
      await keepSnapshot(tx, { userId, hash, url: found.url, title, text })
      await deleteOldSnapshots(tx, userId, KEPT_SNAPSHOTS)
    })
    return {
      url: found.url,
      title,
      text,
      excerpt: found.document.excerpt,
      word_count: found.document.wordCount,
      snapshot_hash: hash,
    }
  }

  const read = async (start: URL, signal: AbortSignal) => {
    const { url, bytes, contentType } = await fetcher.get(start, signal)
    const document = await reader.read({ bytes, contentType, name: nameOf(url) }, signal)
    return { url: url.href, document }
  }

  /** @throws ApiError 422 for what is no URL of the web, 429 after ten in a minute. */
  const admit = async ({ userId }: Caller, body: ReadUrl): Promise<URL> => {
    const url = parseUrl(body.url)
    await limits.urls.take(userId)
    return url
  }

  return {
    /** Reads a page that belongs to a message, which is counted itself. @throws ApiError as `read`. */
    readForMessage: async (caller: Caller, body: ReadUrl): Promise<UrlPage> =>
      take(caller.userId, await admit(caller, body)),

    /**
     * What the endpoint does: ten pages a minute, counted each month.
     * @throws ApiError 422 for what is no URL of the web, 429 over a limit, 502 as `take`.
     */
    async read(caller: Caller, body: ReadUrl): Promise<UrlPage> {
      const url = await admit(caller, body)
      return usage.during(caller.userId, 'urls', () => take(caller.userId, url))
    },

    /** A page as it was when it was taken. @returns undefined for a hash of somebody else's, or none. */
    find: (userId: string, hash: string): Promise<UrlSnapshotRow | undefined> =>
      findSnapshot(db, userId, hash),
  }
}

/** @throws ApiError 422 */
const parseUrl = (text: string): URL => {
  const url = URL.parse(text)
  if (!url) throw invalid('url_parsing', 'Input should be a valid URL')
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw invalid('url_scheme', "URL scheme should be 'http' or 'https'")
  if (url.username || url.password)
    throw invalid('value_error', 'URL should carry no user name and password')
  return url
}

const invalid = (type: string, msg: string) =>
  new ApiError(422, [{ loc: ['body', 'url'], type, msg }])

/** What a page without a title is called: its file name, or its host. */
const nameOf = (url: URL): string => {
  const last = url.pathname.split('/').findLast((part) => part !== '')
  try {
    return last ? decodeURIComponent(last) : url.hostname
  } catch {
    return last ?? url.hostname
  }
}

const asApiError = (error: unknown): unknown =>
  error instanceof FetchFailure || error instanceof Unreadable
    ? new ApiError(502, error.message, { cause: error.cause })
    : error
