import type { OrgInvite } from '../../shared/contract/organization-invites.ts'
import type { Organization, OrgMember } from '../../shared/contract/organizations.ts'
import { newVerifiedUser } from '../harness/http.ts'
import { type RequestOptions, request, type TestServer, type TestUser } from '../harness/server.ts'

/** Requests about organizations. The first parameter is the user who sends the request. */
export const createOrgClient = (server: { readonly current: TestServer }) => {
  const call = (
    caller: Pick<TestUser, 'accessToken'>,
    method: string,
    path: string,
    body?: unknown,
    options: RequestOptions = {},
  ) =>
    request(server.current, method, `/api/${path}`, {
      token: caller.accessToken,
      ...(body !== undefined && { body }),
      ...options,
    })

  /** Creates an organization. */
  const createOrg = async (member: TestUser, name = 'Analytics'): Promise<Organization> =>
    (await call(member, 'POST', 'orgs', { name })).body

  /** Invites an address. @returns the invite with the token of its link. */
  const invite = async (
    who: TestUser,
    org: Pick<Organization, 'id'>,
    email: string,
    role?: string,
  ): Promise<OrgInvite & { token: string }> => {
    const { status, body } = await call(who, 'POST', `orgs/${org.id}/invites`, {
      email,
      ...(role && { role }),
    })
    if (status !== 201) throw new Error(`not invited: ${status} ${JSON.stringify(body)}`)
    return { ...body, token: new URL(body.invite_url).searchParams.get('token') ?? '' }
  }

  /** A new user who joins by an invite of the owner. */
  const join = async (
    owner: TestUser,
    org: Pick<Organization, 'id'>,
    role: 'owner' | 'admin' | 'member' = 'member',
  ): Promise<TestUser> => {
    const user = await newVerifiedUser(server.current)
    const { token } = await invite(owner, org, user.email, role === 'owner' ? 'admin' : role)
    const { status } = await call(user, 'POST', 'invites/accept', { token })
    if (status !== 200) throw new Error(`not joined: ${status}`)
    if (role === 'owner') await call(owner, 'PATCH', `orgs/${org.id}/members/${user.id}`, { role })
    return user
  }

  const members = async (who: TestUser, org: Pick<Organization, 'id'>): Promise<OrgMember[]> =>
    (await call(who, 'GET', `orgs/${org.id}/members`)).body

  /** The audit entries of a user about organizations, newest first. */
  const orgAudit = async (who: TestUser) => {
    const { body } = await call(who, 'GET', 'auth/audit')
    const entries: { action: string; subject: string; details: object }[] = body.entries
    return entries
      .filter(({ action }) => action.startsWith('org.'))
      .map(({ action, subject, details }) => ({ action, subject, details }))
  }

  return { call, createOrg, invite, join, members, orgAudit }
}

export const NOT_MEMBER = [403, { detail: 'Not a member of this organization' }] as const
export const NO_ID = '01a1fdd5-1d91-733f-bcad-fcb5b119e8f9'
