import type { Organization, OrgInvite, OrgMember } from '../../shared/schemas/orgs.ts'
import { type RequestOptions, request, type TestServer, type TestUser } from '../harness/server.ts'
import { newVerifiedUser } from './support.ts'

/** Speaks to a server about organizations, with the access token of whoever is given. */
export const speaking = (server: { readonly current: TestServer }) => {
  const call = (
    who: Pick<TestUser, 'accessToken'>,
    method: string,
    path: string,
    body?: unknown,
    options: RequestOptions = {},
  ) =>
    request(server.current, method, `/api/${path}`, {
      token: who.accessToken,
      ...(body !== undefined && { body }),
      ...options,
    })

  /** Founds an organization. */
  const found = async (who: TestUser, name = 'Analytics'): Promise<Organization> =>
    (await call(who, 'POST', 'orgs', { name })).body

  /** Invites an address, and gives what the link carries. */
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

  /** Somebody new who is in the organization, by an invite of its owner; owners make them owners. */
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

  /** What the audit trail of somebody says of organizations, newest first. */
  const noted = async (who: TestUser) => {
    const { body } = await call(who, 'GET', 'auth/audit')
    const entries: { action: string; subject: string; details: object }[] = body.entries
    return entries
      .filter(({ action }) => action.startsWith('org.'))
      .map(({ action, subject, details }) => ({ action, subject, details }))
  }

  return { call, found, invite, join, members, noted }
}

export const NOT_MEMBER = [403, { detail: 'Not a member of this organization' }] as const
export const NO_ID = '01a1fdd5-1d91-733f-bcad-fcb5b119e8f9'
