import type { Log } from '../log.ts'
import type { RequestRate } from '../request-rate.ts'
import type { ClientAddress } from './address.ts'
import type { Admission } from './admission.ts'
import type { BodyPace } from './body.ts'
import type { Authenticate } from './caller.ts'
import { httpError } from './error.ts'
import type { Limiter } from './limits.ts'
import type { OpenStreams } from './streams.ts'
import type { Submissions } from './submissions.ts'

/** The dependencies of every route. */
export interface HttpContext {
  log: Log
  /** Level of the log line of each request. */
  requestLevel: 'debug' | 'info'
  requestRate: Pick<RequestRate, 'countRequest'>
  authenticate: Authenticate
  limiter: Limiter
  admission: Pick<Admission, 'run'>
  submissions: Submissions
  streams: OpenStreams
  clientAddress: ClientAddress
  /** Whether a socket address is that of a trusted proxy. */
  isTrustedProxy(address: string): boolean
  bodyPace: BodyPace
  /** The server's own origins. Only their pages may send forms. */
  ownOrigins: ReadonlySet<string>
  /** The origins that may use cookies: the server's own and `SVC_FRONTEND_ORIGINS`. */
  trustedOrigins: ReadonlySet<string>
  cookieDomain: string | undefined
  /** The path of `SVC_BASE_URL`, which a proxy strips: paths that browsers see begin with it. */
  basePath: string
}

/** The client of a request, for limits and the audit trail. */
export interface RequestClient {
  ip: string
  userAgent: string | null
}

interface AddressLookup {
  requestIP(request: Request): { address: string } | null
}

/** The address is looked up on access, because most requests do not need it. */
export const clientOf = (
  request: Request,
  http: HttpContext,
  server: AddressLookup | null,
): RequestClient => ({
  get ip() {
    const address = server?.requestIP(request)?.address ?? ''
    return http.clientAddress(address, request.headers)
  },
  get userAgent() {
    return request.headers.get('user-agent')?.slice(0, 300) ?? null
  },
})

/** @throws ApiError 403 for a browser's request from an untrusted origin (CSRF). */
export const checkOrigin = (request: Request, http: Pick<HttpContext, 'trustedOrigins'>): void => {
  const origin = request.headers.get('origin')
  if (origin !== null && !http.trustedOrigins.has(origin)) throw httpError('origin_not_allowed')
}
