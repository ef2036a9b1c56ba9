import {
  issueTokens,
  mcpAuthorizationServer,
  mcpResource,
  mcpResourceAtRoot,
  registerProgram,
  revokeToken,
} from '../../../shared/contract/index.ts'
import { readJson, readText } from '../../platform/http/body.ts'
import { ApiError } from '../../platform/http/error.ts'
import { reachedAs } from '../../platform/http/own-address.ts'
import type { MountRaw } from '../../platform/http/raw.ts'
import { OAuthError } from './failure.ts'
import type { Form } from './granting.ts'
import { resourceMetadata, serverMetadata } from './metadata.ts'
import type { AuthorizationService } from './service.ts'

const MAX_FORM_BYTES = 16 * 1024

/** What programs ask of the authorization server; people come to its pages. */
export const authorizationRoutes = (
  mount: MountRaw,
  authorization: AuthorizationService,
  { baseUrl, resource }: { baseUrl: string; resource: string },
): void => {
  const { pathname } = new URL(resource)
  for (const row of [mcpResource, mcpResourceAtRoot])
    mount(row, ({ request }) =>
      // A client takes it only under the name that it came by.
      document(resourceMetadata(baseUrl, `${reachedAs(request, baseUrl)}${pathname}`)),
    )
  mount(mcpAuthorizationServer, () => document(serverMetadata(baseUrl, resource)))

  mount(registerProgram, async ({ request, client }) => {
    const metadata = await readJson(request).catch(asInvalid('invalid_client_metadata'))
    return answer(await authorization.register(metadata, client.ip), 201)
  })
  mount(issueTokens, async ({ request, client }) =>
    answer(await authorization.token(await readForm(request), client)),
  )
  mount(revokeToken, async ({ request }) => {
    await authorization.revoke(await readForm(request))
    return answer({})
  })
}

/** The same for everybody. */
const document = (body: object): Response =>
  Response.json(body, { headers: { 'cache-control': 'public, max-age=3600' } })

const answer = (body: object, status = 200): Response =>
  Response.json(body, { status, headers: { 'cache-control': 'no-store', pragma: 'no-cache' } })

/**
 * Reads a form. A client without a secret may still name itself by Basic authentication.
 * @throws OAuthError for what is no form, or gives a field more than once (RFC 6749, 3.2).
 */
const readForm = async (request: Request): Promise<Form> => {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/x-www-form-urlencoded')
    throw new OAuthError('invalid_request', 'Send a form: application/x-www-form-urlencoded')
  const text = await readText(request, MAX_FORM_BYTES).catch(asInvalid('invalid_request'))
  const fields: Record<string, string> = {}
  for (const [name, value] of new URLSearchParams(text)) {
    if (Object.hasOwn(fields, name) && fields[name] !== value)
      throw new OAuthError('invalid_request', `${name} is given more than once`)
    fields[name] = value
  }
  const named = basicName(request.headers.get('authorization'))
  return { ...(named !== undefined && { client_id: named }), ...fields }
}

const basicName = (header: string | null): string | undefined => {
  const [scheme, credentials = ''] = header?.split(' ') ?? []
  if (scheme?.toLowerCase() !== 'basic') return undefined
  const [id = ''] = Buffer.from(credentials, 'base64').toString().split(':')
  try {
    return decodeURIComponent(id.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}

/** Puts what is wrong with a body into the words of OAuth; one that is too large stays that. */
const asInvalid =
  (code: 'invalid_request' | 'invalid_client_metadata') =>
  (error: unknown): never => {
    if (error instanceof ApiError && error.status === 422)
      throw new OAuthError(code, 'The body cannot be read')
    throw error
  }
