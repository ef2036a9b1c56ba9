import { beforeAll, describe, expect, test } from 'bun:test'
import type { PolicyShortfall } from '../../shared/contract/organization-policies.ts'
import type { OrgPoliciesView } from '../../shared/contract/policies.ts'
import { codeOf } from '../api/prepare.ts'
import { createAuthenticator } from '../harness/authenticator.ts'
import { eventually } from '../harness/eventually.ts'
import { newVerifiedUser, runSql, startRestartable } from '../harness/http.ts'
import {
  type Answer,
  cookieValue,
  PASSWORD,
  type RequestOptions,
  request,
  type TestUser,
  useServer,
} from '../harness/server.ts'
import { connectHttp } from '../mcp/client.ts'
import { authorizePath, decide, letIn, newProof, register } from '../mcp/oauth-support.ts'
import { createOrgClient, NO_ID, NOT_MEMBER } from './organization-support.ts'

const ADMIN = 'root@example.com'
const server = useServer({ SVC_ADMIN_EMAILS: ADMIN, SVC_DEFAULT_TIER: 'awakened' })
const { call, createOrg, join, orgAudit } = createOrgClient(server)

let root: TestUser
beforeAll(async () => {
  root = await newVerifiedUser(server.current, ADMIN)
})

type Org = { id: string }
const at = (org: Org) => `orgs/${org.id}/policies`
const setPolicies = (who: TestUser, org: Org, change: object) => call(who, 'PATCH', at(org), change)
const recall = (org: Org | undefined, options: RequestOptions) =>
  request(server.current, 'POST', '/api/recall', {
    body: { query: 'heron' },
    ...options,
    headers: { ...(org && { 'x-org-id': org.id }), ...options.headers },
  })
const statusIn = async (org: Org, token: string) => (await recall(org, { token })).status
const actionsOf = ({ status, body }: Answer) => [
  status,
  body.detail?.error,
  body.detail?.missing?.map(({ action }: PolicyShortfall) => action),
]
const refusedFor = (...actions: string[]) => [403, 'org_policy', actions]
const missingOf = async (who: TestUser, org: Org) => {
  const { body }: { body: OrgPoliciesView } = await call(who, 'GET', at(org))
  return body.missing.map(({ action }) => action)
}

/** An organization with an owner and a member. */
const newTeam = async () => {
  const owner = await newVerifiedUser(server.current)
  const org = await createOrg(owner, 'Herons')
  return { owner, org, member: await join(owner, org) }
}

const signedIn = (user: TestUser, answer: Answer): TestUser => ({
  ...user,
  accessToken: answer.body.access_token,
  refreshToken: cookieValue(answer.cookie),
})
const signIn = (user: TestUser) =>
  request(server.current, 'POST', '/api/auth/signin', {
    body: { email: user.email, password: PASSWORD },
  })

const newKey = (user: TestUser, org: Org) =>
  call(user, 'POST', 'auth/api-keys', { name: 'bot', org_id: org.id })

const newAuthenticator = () => createAuthenticator(new URL(server.current.baseUrl).origin)
const addPasskey = async (user: TestUser) => {
  const authenticator = await newAuthenticator()
  const { body } = await call(user, 'POST', 'auth/passkeys/options')
  const response = await authenticator.register(body.options)
  const added = await call(user, 'POST', 'auth/passkeys', { name: 'phone', response })
  expect(added.status).toBe(201)
  return { authenticator, id: added.body.id }
}
const signInWithPasskey = async (
  user: TestUser,
  authenticator: Awaited<ReturnType<typeof newAuthenticator>>,
) => {
  const started = await request(server.current, 'POST', '/api/auth/passkeys/signin/options')
  const response = await authenticator.signIn(started.body.options)
  const answer = await request(server.current, 'POST', '/api/auth/passkeys/signin', {
    body: { response },
  })
  return signedIn(user, answer)
}
const enableMfa = async (user: TestUser): Promise<string[]> => {
  const { secret } = (await call(user, 'POST', 'auth/mfa/setup')).body
  return (await call(user, 'POST', 'auth/mfa/enable', { code: codeOf(secret) })).body.recovery_codes
}
const signInWithCode = async (user: TestUser, code: string) => {
  const { partial_token } = (await signIn(user)).body
  const answer = await request(server.current, 'POST', '/api/auth/mfa/verify', {
    body: { partial_token, code },
  })
  return signedIn(user, answer)
}

describe('the policies of an organization', () => {
  test('members read them, owners and admins change them, and the change is recorded', async () => {
    const { owner, org, member } = await newTeam()
    const boss = await join(owner, org, 'admin')
    const none = { second_factor: 'none', providers: null, session_hours: null, key_scopes: null }
    const methods = ['password', 'passkey', 'email_code']
    const { body } = await call(member, 'GET', at(org))
    expect(body).toMatchObject({ ...none, missing: [] })
    expect(body.sign_in_methods.map(({ name }: { name: string }) => name)).toEqual(methods)
    expect(await setPolicies(member, org, { session_hours: 8 })).toMatchObject({
      status: 403,
      body: { detail: 'Only an owner or an admin of the organization can do this' },
    })
    const changed = await setPolicies(boss, org, { session_hours: 8, providers: ['password'] })
    expect([changed.status, changed.body]).toEqual([
      200,
      { ...body, session_hours: 8, providers: ['password'] },
    ])
    expect((await call(member, 'GET', at(org))).body).toEqual(changed.body)
    expect((await orgAudit(boss))[0]).toEqual({
      action: 'org.policies_changed',
      subject: org.id,
      details: {
        second_factor: 'none',
        providers: 'password',
        session_hours: '8',
        key_scopes: 'all',
        managed_sign_in: 'none',
      },
    })
    expect((await setPolicies(owner, org, none)).body).toEqual(body)
  })

  test.each([
    [{ second_factor: 'sms' }, 'second_factor'],
    [{ second_factor: null }, 'second_factor'],
    [{ providers: [] }, 'providers'],
    [{ providers: 'google' }, 'providers'],
    [{ providers: ['password', 'password'] }, 'providers'],
    [{ providers: ['nosuch'] }, 'providers'],
    [{ providers: ['Password'] }, 'providers'],
    [{ providers: ['x'.repeat(300)] }, 'providers'],
    [{ session_hours: 0 }, 'session_hours'],
    [{ session_hours: 8761 }, 'session_hours'],
    [{ session_hours: 1.5 }, 'session_hours'],
    [{ session_hours: '8' }, 'session_hours'],
    [{ key_scopes: [] }, 'key_scopes'],
    [{ key_scopes: ['memory'] }, 'key_scopes'],
  ])('%j is refused', async (change, field) => {
    const { owner, org } = await newTeam()
    const { status, body } = await setPolicies(owner, org, change)
    expect([status, body.detail?.[0]?.loc?.slice(0, 2)]).toEqual([422, ['body', field]])
    expect((await call(owner, 'GET', at(org))).body).toMatchObject({
      second_factor: 'none',
      providers: null,
      session_hours: null,
      key_scopes: null,
    })
  })

  test('users of other organizations cannot read or change them, and API keys cannot change them', async () => {
    const { owner, org } = await newTeam()
    const eve = await newVerifiedUser(server.current)
    for (const of of [org, { id: NO_ID }])
      for (const { status, body } of [
        await call(eve, 'GET', at(of)),
        await setPolicies(eve, of, { session_hours: 1 }),
        await setPolicies(eve, of, { session_hours: null }),
        await setPolicies(eve, of, {}),
      ])
        expect([status, body]).toEqual([...NOT_MEMBER])
    const byKey = await call(owner, 'PATCH', at(org), { session_hours: 1 }, { token: owner.key })
    expect(byKey.status).toBe(403)
  })

  test('policies of one organization limit neither the account nor another organization', async () => {
    const { owner, org, member } = await newTeam()
    const other = await createOrg(member)
    await call(member, 'POST', `orgs/${org.id}/activate`)
    await addPasskey(owner)
    expect((await setPolicies(owner, org, { second_factor: 'passkey' })).status).toBe(200)
    expect(actionsOf(await recall(undefined, { token: member.accessToken }))).toEqual(
      refusedFor('add_passkey'),
    )
    for (const path of ['me', 'auth/me', 'profile', 'orgs', `orgs/${org.id}`, 'auth/sessions'])
      expect([path, (await call(member, 'GET', path)).status]).toEqual([path, 200])
    expect(await statusIn(other, member.accessToken)).toBe(200)
    const { body: me } = await call(member, 'GET', 'me')
    expect(me.org).toMatchObject({ id: org.id, missing: [{ action: 'add_passkey' }] })
    expect((await call(member, 'POST', 'orgs/deactivate')).status).toBe(204)
    expect((await recall(undefined, { token: member.accessToken })).status).toBe(200)
  })

  test('a member who falls short uses no endpoint of the organization, but may leave', async () => {
    const { owner, org, member } = await newTeam()
    const boss = await join(owner, org, 'admin')
    await addPasskey(owner)
    await setPolicies(owner, org, { second_factor: 'passkey' })
    for (const [method, path, body] of [
      ['GET', 'members'],
      ['GET', 'invites'],
      ['GET', 'domains'],
      ['POST', 'domains', { domain: 'acme.test' }],
      ['POST', 'invites', { email: 'x@example.com' }],
      ['GET', 'webhooks'],
      ['GET', 'allowed-clients'],
      ['POST', 'activate'],
      ['PATCH', 'policies', { second_factor: 'none' }],
      ['PATCH', `members/${member.id}`, { role: 'admin' }],
      ['DELETE', `members/${member.id}`],
    ] as const) {
      const answer = await call(boss, method, `orgs/${org.id.toUpperCase()}/${path}`, body)
      expect([path, ...actionsOf(answer)]).toEqual([path, ...refusedFor('add_passkey')])
    }
    expect((await call(boss, 'DELETE', `orgs/${org.id}/members/${boss.id}`)).status).toBe(204)
  })

  test('the refusal says what to do, in words and for programs', async () => {
    const { owner, org, member } = await newTeam()
    await setPolicies(owner, org, { session_hours: 1 })
    await enableMfa(owner)
    await setPolicies(owner, org, { second_factor: 'any' })
    const { status, body } = await recall(org, { token: member.accessToken })
    const message =
      'Add a passkey or turn on codes of an authenticator app (/app/settings/second-factor)'
    expect([status, body]).toEqual([
      403,
      {
        detail: {
          error: 'org_policy',
          message: `The policies of the organization “Herons” require more. ${message}.`,
          org_id: org.id,
          missing: [{ policy: 'second_factor', action: 'add_second_factor', message }],
        },
      },
    ])
  })
})

describe('a second factor', () => {
  test('`any`: enabling codes meets it in this session, and others sign in again', async () => {
    const { owner, org, member } = await newTeam()
    const elsewhere = signedIn(member, await signIn(member))
    const [code = ''] = await enableMfa(owner)
    expect((await setPolicies(owner, org, { second_factor: 'any' })).status).toBe(200)
    expect(await missingOf(member, org)).toEqual(['add_second_factor'])
    const [first = '', second = ''] = await enableMfa(member)
    expect(await statusIn(org, member.accessToken)).toBe(200)
    expect(actionsOf(await recall(org, { token: elsewhere.accessToken }))).toEqual(
      refusedFor('use_second_factor'),
    )
    const again = await signInWithCode(member, first)
    expect(await statusIn(org, again.accessToken)).toBe(200)
    expect(await missingOf(again, org)).toEqual([])
    expect(await statusIn(org, (await signInWithCode(owner, code)).accessToken)).toBe(200)
    expect((await call(again, 'POST', 'auth/mfa/disable', { code: second })).status).toBe(200)
    expect(actionsOf(await recall(org, { token: again.accessToken }))).toEqual(
      refusedFor('add_second_factor'),
    )
  })

  test('`passkey`: a code does not meet it, and a passkey does until it is removed', async () => {
    const { owner, org, member } = await newTeam()
    await addPasskey(owner)
    await setPolicies(owner, org, { second_factor: 'passkey' })
    await enableMfa(member)
    expect(await missingOf(member, org)).toEqual(['add_passkey'])
    const { authenticator, id } = await addPasskey(member)
    expect(await statusIn(org, member.accessToken)).toBe(200)
    const again = await signInWithPasskey(member, authenticator)
    expect(await statusIn(org, again.accessToken)).toBe(200)
    expect((await call(again, 'DELETE', `auth/passkeys/${id}`)).status).toBe(204)
    expect(actionsOf(await recall(org, { token: again.accessToken }))).toEqual(
      refusedFor('add_passkey'),
    )
  })

  test('a sign-in by password falls short if the account has a passkey', async () => {
    const { owner, org, member } = await newTeam()
    const { authenticator } = await addPasskey(member)
    await addPasskey(owner)
    await setPolicies(owner, org, { second_factor: 'passkey' })
    const answer = await signIn(member)
    expect(answer.body.refused_orgs).toMatchObject([
      { error: 'org_policy', org_id: org.id, missing: [{ action: 'use_passkey' }] },
    ])
    const byPassword = signedIn(member, answer)
    expect(actionsOf(await recall(org, { token: byPassword.accessToken }))).toEqual(
      refusedFor('use_passkey'),
    )
    expect((await call(byPassword, 'GET', 'orgs')).body).toMatchObject([
      { id: org.id, missing: [{ action: 'use_passkey' }] },
    ])
    const byPasskey = await signInWithPasskey(member, authenticator)
    expect(await statusIn(org, byPasskey.accessToken)).toBe(200)
    expect((await call(byPasskey, 'GET', 'orgs')).body[0]).not.toHaveProperty('missing')
  })

  test('an API key of the organization needs a second factor of its account, and one of the user is refused', async () => {
    const { owner, org, member } = await newTeam()
    const { body: orgKey } = await newKey(member, org)
    await addPasskey(owner)
    await setPolicies(owner, org, { second_factor: 'any' })
    const byOrgKey = () => recall(undefined, { token: orgKey.key })
    expect(actionsOf(await byOrgKey())).toEqual(refusedFor('add_second_factor'))
    expect(actionsOf(await recall(org, { token: member.key }))).toEqual(refusedFor('use_org_key'))
    expect((await recall(undefined, { token: member.key })).status).toBe(200)
    await addPasskey(member)
    expect((await byOrgKey()).status).toBe(200)
    // A person who knows the password can create a key of the user.
    expect(actionsOf(await recall(org, { token: member.key }))).toEqual(refusedFor('use_org_key'))
  })

  test('a session that falls short creates no key, terminal or app of the organization', async () => {
    const { owner, org, member } = await newTeam()
    await addPasskey(member)
    const byPassword = signedIn(member, await signIn(member))
    await addPasskey(owner)
    await setPolicies(owner, org, { second_factor: 'passkey' })
    expect(actionsOf(await newKey(byPassword, org))).toEqual(refusedFor('use_passkey'))

    const start = await request(server.current, 'POST', '/api/auth/mcp/start', { body: {} })
    const approval = { user_code: start.body.user_code, approve: true, org_id: org.id }
    expect(actionsOf(await call(byPassword, 'POST', 'auth/mcp/authorize', approval))).toEqual(
      refusedFor('use_passkey'),
    )
    expect((await call(member, 'POST', 'auth/mcp/authorize', approval)).status).toBe(200)

    const client_id = await register(server.current)
    const path = authorizePath({ client_id, code_challenge: newProof().challenge })
    const choice = { decision: 'approve', org: org.id }
    const allow = (who: TestUser) => decide(server.current, who, path, choice)
    expect((await allow(member)).searchParams.has('code')).toBe(true)
    await expect(allow(byPassword)).rejects.toThrow('403')
  })

  test('a session that has not used the factor of its account cannot add or remove one', async () => {
    const { owner, org, member } = await newTeam()
    const { authenticator, id } = await addPasskey(member)
    const byPassword = signedIn(member, await signIn(member))
    await addPasskey(owner)
    await setPolicies(owner, org, { second_factor: 'passkey' })
    const { body } = await call(byPassword, 'POST', 'auth/passkeys/options')
    const response = await (await newAuthenticator()).register(body.options)
    const added = await call(byPassword, 'POST', 'auth/passkeys', { name: 'mine', response })
    expect(actionsOf(added)).toEqual(refusedFor('use_passkey'))
    expect(actionsOf(await call(byPassword, 'DELETE', `auth/passkeys/${id}`))).toEqual(
      refusedFor('use_passkey'),
    )
    const { secret } = (await call(byPassword, 'POST', 'auth/mfa/setup')).body
    const enabled = await call(byPassword, 'POST', 'auth/mfa/enable', { code: codeOf(secret) })
    expect(actionsOf(enabled)).toEqual(refusedFor('use_passkey'))
    const byPasskey = await signInWithPasskey(member, authenticator)
    expect((await addPasskey(byPasskey)).id).not.toBe(id)
  })
})

describe('sign-in methods', () => {
  test('a session of another method is refused at its next request and names the allowed ones', async () => {
    const { owner, org, member } = await newTeam()
    const { authenticator } = await addPasskey(owner)
    const byPasskey = await signInWithPasskey(owner, authenticator)
    expect(await statusIn(org, member.accessToken)).toBe(200)
    expect((await setPolicies(byPasskey, org, { providers: ['passkey'] })).status).toBe(200)
    for (const user of [member, owner]) {
      const answer = await recall(org, { token: user.accessToken })
      expect(actionsOf(answer)).toEqual(refusedFor('use_provider'))
      expect(answer.body.detail.missing[0].allowed).toEqual(['passkey'])
    }
    expect(await statusIn(org, byPasskey.accessToken)).toBe(200)
  })

  test('a code by email is a method of its own, and a session without a recorded method has none', async () => {
    const { owner, org, member } = await newTeam()
    await setPolicies(owner, org, { providers: ['password', 'email_code'] })
    const { body: started } = await request(server.current, 'POST', '/api/auth/code', {
      body: { email: member.email },
    })
    const mail = await server.current.noticed(
      new RegExp(`^Mail to ${member.email} [^]*code/link\\?code=\\d{6}`),
    )
    const code = /code\/link\?code=(\d{6})/.exec(mail)?.[1]
    const answer = await request(server.current, 'POST', '/api/auth/code/signin', {
      body: { attempt_token: started.attempt_token, code },
    })
    const byCode = signedIn(member, answer)
    expect(await statusIn(org, byCode.accessToken)).toBe(200)
    await setPolicies(owner, org, { providers: ['password'] })
    expect(actionsOf(await recall(org, { token: byCode.accessToken }))).toEqual(
      refusedFor('use_provider'),
    )
    await runSql(
      server.current.database,
      `update sessions set method = null where user_id = '${member.id}'`,
    )
    expect(actionsOf(await recall(org, { token: member.accessToken }))).toEqual(
      refusedFor('use_provider'),
    )
  })

  test('a terminal that a session let in has the sign-in of that session', async () => {
    const { owner, org, member } = await newTeam()
    const start = await request(server.current, 'POST', '/api/auth/mcp/start', {
      body: { session: true },
    })
    const { device_code, user_code } = start.body
    await call(member, 'POST', 'auth/mcp/authorize', { user_code, approve: true })
    const poll = await request(server.current, 'POST', '/api/auth/mcp/poll', {
      body: { device_code },
    })
    const terminal = poll.body.access_token
    await setPolicies(owner, org, { providers: ['password'] })
    expect(await statusIn(org, terminal)).toBe(200)
    await runSql(
      server.current.database,
      `update sessions set created_at = now() - interval '3 hours', signed_in_at = null where user_id = '${owner.id}'`,
    )
    await setPolicies(owner, org, { session_hours: 4 })
    expect(await statusIn(org, terminal)).toBe(200)
  })
})

describe('session length', () => {
  const age = (user: TestUser, hours: number) =>
    runSql(
      server.current.database,
      `update sessions set created_at = now() - interval '${hours} hours' where user_id = '${user.id}'`,
    )

  test('a session uses the organization for the hours after its sign-in, and its API key always', async () => {
    const { owner, org, member } = await newTeam()
    await setPolicies(owner, org, { session_hours: 2 })
    await age(member, 1.9)
    expect(await statusIn(org, member.accessToken)).toBe(200)
    const { body: orgKey } = await newKey(member, org)
    await age(member, 2.1)
    expect(actionsOf(await recall(org, { token: member.accessToken }))).toEqual(
      refusedFor('sign_in_again'),
    )
    const { body } = await request(server.current, 'POST', '/api/auth/refresh', {
      cookie: member.refreshToken,
    })
    expect(await statusIn(org, body.access_token)).toBe(403)
    expect((await recall(undefined, { token: orgKey.key })).status).toBe(200)
    expect(actionsOf(await newKey(member, org))).toEqual(refusedFor('sign_in_again'))
    expect(await statusIn(org, signedIn(member, await signIn(member)).accessToken)).toBe(200)
  })

  test('a change that would lock out the one who makes it is refused', async () => {
    const { owner, org } = await newTeam()
    await age(owner, 3)
    for (const [change, words] of [
      [{ session_hours: 2 }, 'Sign in again: your last sign-in was more than 2 hours ago.'],
      [{ providers: ['passkey'] }, 'Sign in again with one of: passkey.'],
      [{ second_factor: 'passkey' }, 'Add a passkey (/app/settings/passkeys).'],
    ] as const) {
      const { status, body } = await setPolicies(owner, org, change)
      expect([status, body]).toEqual([
        409,
        { detail: `This change would lock you out of the organization. ${words}` },
      ])
    }
    expect(await missingOf(owner, org)).toEqual([])
  })
})

describe('scopes of keys', () => {
  const newKey = (who: TestUser, body: object) =>
    call(who, 'POST', 'auth/api-keys', { name: 'bot', ...body })

  test('a key with more scopes is refused until it is narrowed', async () => {
    const { owner, org, member } = await newTeam()
    const { body: key } = await newKey(member, { org_id: org.id })
    await setPolicies(owner, org, { key_scopes: ['memory:read'] })
    const answer = await recall(undefined, { token: key.key })
    expect(actionsOf(answer)).toEqual(refusedFor('narrow_scopes'))
    expect(answer.body.detail.missing[0].allowed).toEqual(['memory:read'])
    expect(actionsOf(await recall(org, { token: member.key }))).toEqual(refusedFor('narrow_scopes'))
    await call(member, 'PATCH', `auth/api-keys/${key.id}`, { scopes: ['memory:read'] })
    expect((await recall(undefined, { token: key.key })).status).toBe(200)
    expect(await statusIn(org, member.accessToken)).toBe(200)
  })

  test('a new key of the organization gets the allowed scopes, and asks for no more', async () => {
    const { owner, org, member } = await newTeam()
    await setPolicies(owner, org, { key_scopes: ['memory:read', 'chat'] })
    const made = await newKey(member, { org_id: org.id })
    expect([made.status, made.body.scopes]).toEqual([201, ['memory:read', 'chat']])
    expect((await newKey(member, { org_id: org.id, scopes: ['chat'] })).body.scopes).toEqual([
      'chat',
    ])
    expect(
      actionsOf(await newKey(member, { org_id: org.id, scopes: ['chat', 'account'] })),
    ).toEqual(refusedFor('narrow_scopes'))
    expect((await newKey(member, {})).body).not.toHaveProperty('scopes')
  })
})

describe('assistants over OAuth and MCP', () => {
  const mcp = (token: string, name = 'recall', args: object = { query: 'heron' }) =>
    request(server.current, 'POST', '/api/mcp', {
      token,
      headers: { accept: 'application/json, text/event-stream' },
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
    })

  test('a token of an organization is refused while its authorization or account falls short', async () => {
    const { owner, org, member } = await newTeam()
    const { access } = await letIn(server.current, member, { choice: { org: org.id } })
    expect((await mcp(access)).text).toContain('No memories found')
    const { authenticator } = await addPasskey(owner)
    const boss = await signInWithPasskey(owner, authenticator)
    await setPolicies(boss, org, { providers: ['passkey'] })
    const refused = (await mcp(access)).text
    expect(refused).toContain('"isError":true')
    expect(refused).toContain('Sign in again with one of: passkey. Then authorize the app again')
    await setPolicies(boss, org, { providers: null, key_scopes: ['memory:read', 'chat'] })
    expect((await mcp(access)).text).toContain('Limit the scopes of this app')
    const again = await letIn(server.current, member, { choice: { org: org.id } })
    expect((await mcp(again.access)).text).toContain('No memories found')
    await setPolicies(boss, org, { key_scopes: null, second_factor: 'any' })
    expect((await mcp(again.access)).text).toContain('Add a passkey')
  })
})

describe('open streams', () => {
  test('the stream of a member who falls short ends with the refusal', async () => {
    const { owner, org, member } = await newTeam()
    const open = (user: TestUser) =>
      fetch(new URL('/api/events', server.current.url), {
        headers: {
          accept: 'text/event-stream',
          'x-org-id': org.id,
          authorization: `Bearer ${user.accessToken}`,
        },
      })
    const stream = await open(member)
    const text = stream.text()
    await addPasskey(owner)
    await setPolicies(owner, org, { second_factor: 'passkey' })
    const read = await text
    expect(read).toContain('event: ready')
    expect(read).toEndWith('\n\n')
    expect(read.split('event: ').at(-1)).toStartWith('error')
    expect(read).toContain('"error":"org_policy"')
    expect((await open(member)).status).toBe(403)
  })

  test('a subscription over MCP ends before it reports what happens after the change', async () => {
    const { owner, org, member } = await newTeam()
    const { body: orgKey } = await newKey(member, org)
    const remember = (content: string) =>
      request(server.current, 'POST', '/api/remember', {
        token: owner.accessToken,
        body: { content },
        headers: { 'X-Org-ID': org.id },
      })
    await using mcp = await connectHttp(server.current, orgKey.key)
    let reports = 0
    const reported = Promise.withResolvers<void>()
    mcp.client.setNotificationHandler('notifications/resources/updated', () => {
      reports += 1
      reported.resolve()
    })
    const { closed } = await mcp.client.listen({ resourceSubscriptions: ['svc://activity'] })
    await remember('We sail on Sunday.')
    await reported.promise
    await addPasskey(owner)
    await setPolicies(owner, org, { second_factor: 'any' })
    const isClosed = closed.then(() => true)
    // It is checked before events, at most once a second.
    await eventually(async () => {
      await remember(crypto.randomUUID())
      return Promise.race([isClosed, false])
    })
    const before = reports
    await remember('The code of the boat house is 4711.')
    expect(reports).toBe(before)
    await expect(mcp.client.listen({ resourceSubscriptions: ['svc://activity'] })).rejects.toThrow(
      'org_policy',
    )
  })
})

describe('the APIs of models', () => {
  test('a credential that falls short is refused before a provider is looked for', async () => {
    const { owner, org, member } = await newTeam()
    const { body: orgKey } = await newKey(member, org)
    const complete = () =>
      request(server.current, 'POST', '/api/openai/v1/chat/completions', {
        token: orgKey.key,
        body: { model: 'any', messages: [{ role: 'user', content: 'Where do we deploy?' }] },
      })
    expect((await complete()).status).toBe(503)
    await addPasskey(owner)
    await setPolicies(owner, org, { second_factor: 'any' })
    expect((await complete()).status).toBe(403)
  })
})

describe('an admin of the server', () => {
  test('an admin may end policies of any organization, and change nothing more', async () => {
    const { owner, org, member } = await newTeam()
    await enableMfa(owner)
    await setPolicies(owner, org, { second_factor: 'any', session_hours: 5 })
    expect((await setPolicies(root, org, { session_hours: 9 })).status).toBe(403)
    expect((await setPolicies(root, org, { second_factor: 'none', session_hours: 9 })).status).toBe(
      403,
    )
    expect((await call(root, 'GET', at(org))).status).toBe(403)
    expect(await statusIn(org, member.accessToken)).toBe(403)
    const ended = await setPolicies(root, org, { second_factor: 'none' })
    expect([ended.status, ended.body]).toMatchObject([
      200,
      { second_factor: 'none', session_hours: 5, missing: [] },
    ])
    expect(await statusIn(org, member.accessToken)).toBe(200)
    expect((await setPolicies(root, { id: NO_ID }, { second_factor: 'none' })).status).toBe(403)
  })
})

test('two owners who tighten at once cannot lock out each other without being held to it', async () => {
  for (let round = 0; round < 3; round++) {
    const { owner, org } = await newTeam()
    const other = await join(owner, org, 'owner')
    const { authenticator } = await addPasskey(owner)
    const byPasskey = await signInWithPasskey(owner, authenticator)
    const answers = await Promise.all([
      setPolicies(byPasskey, org, { providers: ['passkey'] }),
      setPolicies(other, org, { providers: ['password'] }),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403])
    const winner = answers[0].status === 200 ? byPasskey : other
    expect(await statusIn(org, winner.accessToken)).toBe(200)
  }
})

test('policies outlive a restart, and end with the organization', async () => {
  await using restartable = await startRestartable()
  const user = await newVerifiedUser(restartable.current)
  const send = (method: string, path: string, body?: object) =>
    request(restartable.current, method, `/api/orgs${path}`, {
      token: user.accessToken,
      ...(body && { body }),
    })
  const { body: org } = await send('POST', '', { name: 'Herons' })
  await send('PATCH', `/${org.id}/policies`, { session_hours: 8 })
  await restartable.restart()
  expect((await send('GET', `/${org.id}/policies`)).body.session_hours).toBe(8)
  expect((await send('DELETE', `/${org.id}`)).status).toBe(204)
  expect((await send('GET', `/${org.id}/policies`)).status).toBe(403)
})
