import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync, rmSync, statSync } from 'node:fs'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fetchPastProxy } from '../../../../../shared/proxies.ts'
import { OperatorError } from '../../../../platform/operator-error.ts'
import { storageFailure } from '../../../../platform/writes.ts'

const MAX_REDIRECTS = 5
/** How long a hub may send nothing. */
const IDLE_MS = 30_000
const ATTEMPTS = 3

/** A file at a hub, at the protocol of huggingface.co: `/{repository}/resolve/{revision}/{file}`. */
export interface HubFile {
  /** The hub's URL. */
  hub: string
  repository: string
  revision: string
  file: string
}

interface DownloadOptions {
  /** A part of the file from an earlier download is continued. */
  path: string
  maxBytes: number
  signal: AbortSignal
}

/** Of the first response, before the hub redirects to a server that stores the file. */
interface Origin {
  /** The commit of the revision. */
  commit: string | undefined
  /** SHA-256 of a large file, or git's SHA-1 of a small one; undefined if the hub gives neither. */
  etag: string | undefined
}

/**
 * Downloads a file, and compares it with the hash that the hub gives.
 * @returns the commit; undefined if the hub has no such file.
 * @throws OperatorError
 */
export const downloadFile = async (
  source: HubFile,
  options: DownloadOptions,
): Promise<{ commit: string | undefined } | undefined> => {
  for (let attempt = 1; ; attempt += 1)
    try {
      const origin = await transfer(source, options)
      if (!origin) return undefined
      if (await isIntact(options.path, origin.etag)) return { commit: origin.commit }
      rmSync(options.path, { force: true })
      throw new OperatorError(
        `${source.file}: the download differs from the hash that the hub gives`,
      )
    } catch (error) {
      options.signal.throwIfAborted()
      if (isPermanent(error)) throw error
      if (attempt === ATTEMPTS) throw unreachable(source, error)
    }
}

class Refused extends OperatorError {}

/** A full disk or a refusal; other failures may pass. */
const isPermanent = (error: unknown): boolean =>
  error instanceof Refused || storageFailure(error) !== undefined

const unreachable = (source: HubFile, error: unknown): unknown =>
  error instanceof OperatorError
    ? error
    : new OperatorError(
        `${source.file} could not be downloaded from ${source.hub} (${(error as Error).message}); run the command again to continue, or set SVC_MODELS_URL`,
        { cause: error },
      )

const transfer = async (
  source: HubFile,
  { path, maxBytes, signal }: DownloadOptions,
): Promise<Origin | undefined> => {
  const start = existsSync(path) ? statSync(path).size : 0
  const idle = new AbortController()
  const timer = setTimeout(() => idle.abort(new Error('it sends nothing')), IDLE_MS)
  try {
    const { response, origin } = await request(
      source,
      start,
      AbortSignal.any([signal, idle.signal]),
    )
    if (response.status === 404) return undefined
    const isContinued = response.status === 206
    if ((isContinued || response.status === 416) && !origin.etag) {
      // Nothing shows that the first part is of the same file.
      rmSync(path)
      throw new OperatorError(`${source.file}: the hub gives no hash to continue with`)
    }
    // The file is complete, or longer than the hub's.
    if (response.status === 416) return origin
    if (!response.ok || !response.body) throw statusError(source, response.status)
    let bytes = isContinued ? start : 0
    const limited = new Transform({
      transform(chunk: Uint8Array, _, done) {
        timer.refresh()
        bytes += chunk.byteLength
        done(
          bytes > maxBytes ? new Refused(`${source.file} is larger than ${maxBytes} bytes`) : null,
          chunk,
        )
      },
    })
    const output = createWriteStream(path, { flags: isContinued ? 'a' : 'w', mode: 0o600 })
    await pipeline(Readable.from(response.body), limited, output)
    return origin
  } finally {
    clearTimeout(timer)
  }
}

const statusError = ({ repository, revision, file }: HubFile, status: number) => {
  const text = `The hub answered ${status} for ${file} of ${repository} (${revision})`
  return status >= 500 || status === 429 ? new OperatorError(text) : new Refused(text)
}

/** Follows redirects by itself, because only the first response has the hash and the commit. */
const request = async (
  { hub, repository, revision, file }: HubFile,
  start: number,
  signal: AbortSignal,
): Promise<{ response: Response; origin: Origin }> => {
  const first = `${hub.replace(/(?<!\/)\/+$/, '')}/${repository}/resolve/${encodeURIComponent(revision)}/${file}`
  const isSecure = first.startsWith('https:')
  const headers = { 'accept-encoding': 'identity', ...(start && { range: `bytes=${start}-` }) }
  let origin: Origin | undefined
  let url = first
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    const response = await fetchPastProxy(url, { headers, redirect: 'manual', signal })
    origin ??= {
      commit: response.headers.get('x-repo-commit') ?? undefined,
      etag: etagOf(response.headers.get('x-linked-etag') ?? response.headers.get('etag')),
    }
    const location = response.headers.get('location')
    if (response.status < 300 || response.status >= 400 || !location) return { response, origin }
    await response.body?.cancel()
    url = new URL(location, url).href
    if (isSecure && !url.startsWith('https:'))
      throw new Refused(`${file}: the hub redirects to an address without https`)
  }
  throw new Refused(`${file}: the hub redirects more than ${MAX_REDIRECTS} times`)
}

/** The hash in an ETag; undefined for other ETags. */
const etagOf = (header: string | null): string | undefined =>
  /^(?:W\/)?"?([0-9a-f]{64}|[0-9a-f]{40})"?$/.exec(header ?? '')?.[1]

const isIntact = async (path: string, etag: string | undefined): Promise<boolean> => {
  if (etag === undefined) return true
  const isGit = etag.length === 40
  const hash = createHash(isGit ? 'sha1' : 'sha256')
  if (isGit) hash.update(`blob ${statSync(path).size}\0`)
  for await (const chunk of createReadStream(path)) hash.update(chunk)
  return hash.digest('hex') === etag
}
