import { SCIM_PATH, SCIM_TYPE } from '../../../shared/contract/scim.ts'
import { ApiError, asDatabaseError } from '../../platform/http/error.ts'

/** The detail error keywords of RFC 7644, section 3.12. */
type ScimType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue'

export const ERROR_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:Error'

/** An error response of the SCIM endpoints (RFC 7644, section 3.12). */
export class ScimError extends ApiError {
  override name = 'ScimError'
  constructor(
    status: number,
    description: string,
    readonly scimType?: ScimType,
    options: {
      headers?: Record<string, string>
      reason?: string | undefined
      cause?: unknown
    } = {},
  ) {
    const { headers = {}, reason, cause } = options
    const type = { 'content-type': SCIM_TYPE }
    super(status, description, {
      headers: { ...headers, ...type },
      cause,
      ...(reason && { reason }),
    })
  }

  override get body(): object {
    return {
      schemas: [ERROR_SCHEMA],
      status: String(this.status),
      ...(this.scimType && { scimType: this.scimType }),
      detail: this.message,
    }
  }
}

/** A request with a value, a path or a filter that is not accepted. */
export const badRequest = (scimType: ScimType, description: string): ScimError =>
  new ScimError(400, description, scimType)

export const notFound = (): ScimError => new ScimError(404, 'Resource not found')

export const notUnique = (description: string): ScimError =>
  new ScimError(409, description, 'uniqueness')

/** Whether errors at a path have the format of SCIM, also where there is no endpoint. */
export const isScimPath = (path: string): boolean =>
  path === SCIM_PATH || path.startsWith(`${SCIM_PATH}/`)

/**
 * Converts an ApiError, such as 413 or 429, to the format of SCIM. A 422 is 400, which SCIM has for it.
 * @returns any other error unchanged.
 */
export const asScimError = (thrown: unknown): unknown => {
  const error = asDatabaseError(thrown)
  if (!(error instanceof ApiError) || error instanceof ScimError) return error
  const { status, detail, headers, reason, cause } = error
  if (status === 422) {
    const [first] = Array.isArray(detail) ? detail : []
    return badRequest('invalidSyntax', first?.msg ?? 'Invalid request')
  }
  const text = typeof detail === 'string' ? detail : 'The request was refused'
  return new ScimError(status, text, undefined, { headers, reason, cause })
}
