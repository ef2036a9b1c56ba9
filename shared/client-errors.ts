import { describeFailure, describeFix, reasonOf } from './failure.ts'

/** A response of the server with a status outside 2xx. */
export class ApiFailure extends Error {
  override name = 'ApiFailure'
  /** The machine-readable name of the error, such as `memory_not_found`, if the response identifies it. */
  readonly reason: string | undefined
  constructor(
    readonly status: number,
    /** The `detail` of the body: a string, an object or an array. */
    readonly detail: unknown,
    readonly requestId: string | null,
    /** Seconds until a retry may succeed, if the response says so. */
    readonly retryAfter: number | undefined = undefined,
    /** The reasons that the contract declares for this status of the endpoint. */
    declared: readonly string[] = [],
  ) {
    super(describeFailure(status, detail))
    this.reason = reasonOf(status, detail, declared)
  }

  /** How the caller can solve the problem, where that is known. */
  get fix(): string | undefined {
    return describeFix(this.status, this.detail, this.retryAfter, this.requestId)
  }
}

interface UnreachableOptions extends ErrorOptions {
  proxy?: string | undefined
}

/** No response: the server is down, the connection failed, or another service responded. */
export class Unreachable extends Error {
  override name: string = 'Unreachable'
  /** The variable of the proxy that the request passed. */
  readonly proxy: string | undefined

  constructor(message: string, { proxy, ...options }: UnreachableOptions = {}) {
    super(message, options)
    this.proxy = proxy
  }
}

/** The service at the URL is not svc. */
export class NotSvc extends Unreachable {
  override name = 'NotSvc'
}

/** The response did not arrive within the timeout of the call. */
export class TimedOut extends Unreachable {
  override name = 'TimedOut'
}

/** The response ended before it was complete. */
export class CutOff extends Unreachable {
  override name = 'CutOff'
}
