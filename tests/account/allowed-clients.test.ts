import { beforeAll, describe, expect, test } from 'bun:test'
import { decodeJwt } from 'jose'
import * as client from 'openid-client'
import { newVerifiedUser } from '../harness/http.ts'
import { request, type TestUser, useServer } from '../harness/server.ts'
import { letIn, opens } from '../mcp/oauth-support.ts'
import {
  ADMIN,
  type App,
  agree,
  errorOf,
  exchange,
  landingOf,
  open,
  registerApp,
  signInTo,
  start,
} from './openid-provider-support.ts'
import { createOrgClient } from './organization-support.ts'

const server = useServer({ SVC_ADMIN_EMAILS: ADMIN })
const { createOrg, join, orgAudit } = createOrgClient(server)
let admin: TestUser
let app: App
beforeAll(async () => {
  admin = await newVerifiedUser(server.current, ADMIN)
  app = await registerApp(server.current, admin)
}, 120_000)

const scope = 'openid profile offline_access memory:read memory:write'
const recall = (token: string, headers = {}) =>
  request(server.current, 'POST', '/api/recall', { token, headers, body: { query: 'heron' } })
const allowed = (who: TestUser, orgId: string, client_ids?: string[] | null) =>
  request(
    server.current,
    client_ids === undefined ? 'GET' : 'PUT',
    `/api/orgs/${orgId}/allowed-clients`,
    {
      token: who.accessToken,
      ...(client_ids !== undefined && { body: { client_ids } }),
    },
  )

/** An organization with an owner and a member, and one memory. */
const newTeam = async () => {
  const owner = await newVerifiedUser(server.current)
  const org = await createOrg(owner, 'Herons')
  const member = await join(owner, org)
  await request(server.current, 'POST', '/api/remember', {
    token: owner.accessToken,
    headers: { 'x-org-id': org.id },
    body: { content: 'The heron nests in the alder.' },
  })
  return { owner, member, org }
}

describe('an app that acts in an organization', () => {
  test('the user chooses the organization, whose memory the app gets and no other', async () => {
    const { member, org } = await newTeam()
    const page = await open(server.current, member.refreshToken, await start(app, { scope }))
    expect(page.text).toContain(`<option value="${org.id}">Herons</option>`)
    const tokens = await signInTo(server.current, app, member, { scope }, { org: org.id })
    expect(decodeJwt(tokens.id_token ?? '')).toMatchObject({
      org_id: org.id,
      org_name: 'Herons',
      org_role: 'member',
    })
    expect((await recall(tokens.access_token)).body.count).toBe(1)

    const other = await createOrg(member, 'Own')
    expect((await recall(tokens.access_token, { 'x-org-id': other.id })).status).toBe(403)
    const { access_token } = await signInTo(server.current, app, member, {
      scope,
      prompt: 'consent',
    })
    expect((await recall(access_token)).body.count).toBe(0)
    expect((await recall(access_token, { 'x-org-id': org.id })).status).toBe(403)
  })

  test('a user cannot choose an organization of others', async () => {
    const { org } = await newTeam()
    const stranger = await newVerifiedUser(server.current)
    await expect(
      signInTo(server.current, app, stranger, { scope }, { org: org.id }),
    ).rejects.toThrow('403')
  })

  test('a removed member loses the access of the app, and the consent', async () => {
    const { owner, member, org } = await newTeam()
    const tokens = await signInTo(server.current, app, member, { scope }, { org: org.id })
    const started = await start(app, { scope })
    const landing = landingOf(await open(server.current, member.refreshToken, started))
    const path = `/api/orgs/${org.id}/members/${member.id}`
    await request(server.current, 'DELETE', path, { token: owner.accessToken })
    expect((await recall(tokens.access_token)).status).toBe(401)
    expect(await errorOf(client.refreshTokenGrant(app.config, tokens.refresh_token ?? ''))).toBe(
      'invalid_grant',
    )
    expect(await errorOf(exchange(server.current, app, started, landing))).toBe('invalid_grant')
    const silent = await start(app, { scope, prompt: 'none' })
    const answer = landingOf(await open(server.current, member.refreshToken, silent))
    expect(answer.searchParams.get('error')).toBe('consent_required')
  })
})

describe('the apps that an organization allows', () => {
  test('only an owner sets them; members see them with the apps in use', async () => {
    const { owner, member, org } = await newTeam()
    await signInTo(server.current, app, member, { scope }, { org: org.id })
    const { status, body } = await allowed(member, org.id)
    expect([status, body.client_ids]).toEqual([200, null])
    expect(body.known).toContainEqual({ client_id: app.id, name: 'Planner', in_use: true })
    expect((await allowed(member, org.id, [app.id])).status).toBe(403)
    expect((await allowed(await newVerifiedUser(server.current), org.id)).status).toBe(403)
    expect((await allowed(owner, org.id, [app.id])).body.client_ids).toEqual([app.id])
    expect((await orgAudit(owner))[0]).toMatchObject({
      action: 'org.allowed_clients_changed',
      subject: org.id,
      details: { clients: '1' },
    })
    expect((await allowed(owner, org.id, null)).body.client_ids).toBeNull()
  })

  test('an app that is not allowed cannot be given the organization, and can be used without it', async () => {
    const { owner, member, org } = await newTeam()
    const other = await registerApp(server.current, admin, { name: 'Other' })
    await allowed(owner, org.id, [other.id])
    const page = await open(server.current, member.refreshToken, await start(app, { scope }))
    expect(page.text).not.toContain(org.id)
    await expect(signInTo(server.current, app, member, { scope }, { org: org.id })).rejects.toThrow(
      '403',
    )
    expect((await signInTo(server.current, app, member, { scope })).id_token).toBeString()
    const tokens = await signInTo(server.current, other, member, { scope }, { org: org.id })
    expect((await recall(tokens.access_token)).body.count).toBe(1)
  })

  test('an app that is not allowed any more loses its access at once, and gets it back', async () => {
    const { owner, member, org } = await newTeam()
    const tokens = await signInTo(server.current, app, member, { scope }, { org: org.id })
    const started = await start(app, { scope })
    const landing = landingOf(await open(server.current, member.refreshToken, started))
    await allowed(owner, org.id, [])
    expect((await recall(tokens.access_token)).status).toBe(401)
    expect(await errorOf(client.refreshTokenGrant(app.config, tokens.refresh_token ?? ''))).toBe(
      'invalid_grant',
    )
    expect(await client.tokenIntrospection(app.config, tokens.access_token)).toEqual({
      active: false,
    })
    expect(await errorOf(exchange(server.current, app, started, landing))).toBe('invalid_grant')
    const silent = await start(app, { scope, prompt: 'none' })
    const answer = landingOf(await open(server.current, member.refreshToken, silent))
    expect(answer.searchParams.get('error')).toBe('interaction_required')
    await allowed(owner, org.id, [app.id])
    expect((await recall(tokens.access_token)).status).toBe(200)
  })

  test('the list holds for clients of the MCP endpoint', async () => {
    const { owner, member, org } = await newTeam()
    const granted = await letIn(server.current, member, { choice: { org: org.id } })
    expect(await opens(server.current, granted.access)).toBe(true)
    await allowed(owner, org.id, [app.id])
    expect(await opens(server.current, granted.access)).toBe(false)
    await allowed(owner, org.id, [app.id, granted.clientId])
    expect(await opens(server.current, granted.access)).toBe(true)
  })

  test('an app that skips the consent acts in the default organization, if that allows it', async () => {
    const { owner, member, org } = await newTeam()
    const own = await registerApp(server.current, admin, { name: 'Own', skips_consent: true })
    const silently = async () => {
      const started = await start(own, { scope })
      const landing = landingOf(await open(server.current, member.refreshToken, started))
      return exchange(server.current, own, started, landing)
    }
    await request(server.current, 'POST', `/api/orgs/${org.id}/activate`, {
      token: member.accessToken,
    })
    await allowed(owner, org.id, [])
    expect((await recall((await silently()).access_token)).body.count).toBe(0)
    await allowed(owner, org.id, null)
    const started = await start(own, { scope, prompt: 'consent' })
    const landing = await agree(server.current, member, started, { org: org.id })
    const chosen = await exchange(server.current, own, started, landing)
    expect((await recall(chosen.access_token)).body.count).toBe(1)
    expect((await recall((await silently()).access_token)).body.count).toBe(1)
  })
})
