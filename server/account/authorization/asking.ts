import { randomBytes } from 'node:crypto'
import { errorText } from '../../../shared/errors.ts'
import type { RegisteredClient } from '../../../shared/schemas/programs.ts'
import { notOrgMember, orgIdOf } from '../../people/orgs/acting.ts'
import { holdMembership } from '../../people/orgs/membership.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Fetcher } from '../../platform/fetch/fetcher.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/error.ts'
import type { Limits } from '../../platform/http/limits.ts'
import type { Client } from '../../platform/http/route.ts'
import { recordAudit } from '../audit/store.ts'
import { hashSecret } from '../keys/token.ts'
import { createClientFinder, type OAuthClient } from './clients.ts'
import { OAuthError } from './failure.ts'
import { SCOPES } from './metadata.ts'
import { readMetadata } from './registration.ts'
import { type Asker, type RequestFields, readAsker, readChallenge } from './request.ts'
import {
  deleteIdleClients,
  deleteOldCodes,
  insertClient,
  insertCode,
  listMemberships,
  touchClient,
} from './store.ts'

const CODE_SECONDS = 60

/** What a person decides about. */
export interface Question extends Asker {
  /** Where the program could act beside the person's own memory. */
  orgs: { id: string; name: string }[]
  /** Something is wrong with what is asked; only the program can mend it. */
  fault: OAuthError | undefined
}

export interface AskingSurroundings {
  database: Database
  fetcher: Fetcher
  limits: Limits
  issuer: string
  /** What programs are let in to. */
  resource: string
}

/** How programs come to be known, and how people are asked about them. */
export const createAsking = (surroundings: AskingSurroundings) => {
  const { limits, issuer, resource } = surroundings
  const { db } = surroundings.database
  const clients = createClientFinder(surroundings.database, surroundings)

  /** Where the browser goes with an answer; it always says whose answer it is (RFC 9207). */
  const backTo = ({ redirectUri, state }: Asker, answer: Record<string, string>): string => {
    const url = new URL(redirectUri)
    for (const [name, value] of Object.entries({ ...answer, ...(state && { state }), iss: issuer }))
      url.searchParams.set(name, value)
    return url.href
  }

  const giveCode = async (
    caller: Caller,
    asker: Asker,
    challenge: string,
    orgId: string | null,
  ) => {
    const { sessionId } = caller
    if (!sessionId) throw new ApiError(401, errorText.badCredentials)
    const { client, redirectUri } = asker
    const code = randomBytes(32).toString('base64url')
    await deleteOldCodes(db)
    if (orgId !== null && orgIdOf(orgId) === null) throw notOrgMember()
    await db.transaction(async (tx) => {
      if (orgId) await holdMembership(tx, caller.userId, orgId)
      await insertCode(tx, {
        codeHash: hashSecret(code),
        userId: caller.userId,
        sessionId,
        orgId,
        clientId: client.id,
        clientName: client.name,
        redirectUri,
        codeChallenge: challenge,
        expiresAt: new Date(Date.now() + CODE_SECONDS * 1000),
      })
      if (client.site === null) await touchClient(tx, client.id)
    })
    return code
  }

  const note = (caller: Caller, client: OAuthClient, approve: boolean, ip: string) =>
    recordAudit(db, {
      userId: caller.userId,
      action: approve ? 'program.allowed' : 'program.denied',
      subject: client.id,
      ip,
      details: { name: client.name },
    })

  return {
    /** @throws OAuthError for what cannot be registered, ApiError 429 when too many are. */
    async register(metadata: unknown, ip: string): Promise<RegisteredClient> {
      const { name, uri, redirectUris } = readMetadata(metadata)
      await limits.registrations(ip)
      await deleteIdleClients(db)
      const row = await insertClient(db, { id: Bun.randomUUIDv7(), name, uri, redirectUris })
      return {
        client_id: row.id,
        client_id_issued_at: Math.floor(row.createdAt.getTime() / 1000),
        client_name: row.name,
        ...(row.uri && { client_uri: row.uri }),
        redirect_uris: row.redirectUris,
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
        scope: SCOPES.join(' '),
      }
    },

    /** @throws ApiError 400 for a request that does not say who asks, or lies about it. */
    async question(caller: Caller, fields: RequestFields): Promise<Question> {
      const asker = await readAsker(fields, clients, caller.userId)
      return {
        ...asker,
        orgs: await listMemberships(db, caller.userId),
        fault: faultOf(() => readChallenge(fields, resource)),
      }
    },

    /** Where the program is told what is wrong with what it asked. */
    refusal: (asker: Asker, { code, message }: OAuthError): string =>
      backTo(asker, { error: code, error_description: message }),

    /**
     * @returns where the browser goes with the answer.
     * @throws ApiError 400 as `question`, 403 for an organization the person is not in, 429 for too many
     * in a day.
     */
    async decide(
      caller: Caller,
      fields: RequestFields,
      decision: { approve: boolean; orgId: string | null },
      client: Client,
    ): Promise<string> {
      const asker = await readAsker(fields, clients, caller.userId)
      const challenge = readChallenge(fields, resource)
      if (decision.approve) await limits.programs.take(caller.userId)
      const code = decision.approve && (await giveCode(caller, asker, challenge, decision.orgId))
      await note(caller, asker.client, decision.approve, client.ip)
      return backTo(asker, code ? { code } : { error: 'access_denied' })
    },
  }
}

const faultOf = (check: () => unknown): OAuthError | undefined => {
  try {
    check()
    return undefined
  } catch (error) {
    if (error instanceof OAuthError) return error
    throw error
  }
}
