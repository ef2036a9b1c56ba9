import { beforeAll, describe, expect, test } from 'bun:test'
import { contract } from '../../shared/contract/index.ts'
import { eventually } from '../harness/eventually.ts'
import { ISO, newVerifiedUser, runSql, startRestartable, UUID } from '../harness/http.ts'
import { newUser, request, type TestUser, useServer } from '../harness/server.ts'
import { createOrgClient, NO_ID, NOT_MEMBER } from './organization-support.ts'

const server = useServer({ SVC_DEFAULT_TIER: 'conscious' })
const { call, createOrg, join, members, orgAudit } = createOrgClient(server)

let ada: TestUser
let outsider: TestUser
beforeAll(async () => {
  ada = await newVerifiedUser(server.current)
  outsider = await newVerifiedUser(server.current)
})

const me = async (caller: TestUser) => (await call(caller, 'GET', 'me')).body
const newKey = async (who: TestUser, org_id?: string) =>
  (await call(who, 'POST', 'auth/api-keys', { name: 'of the team', org_id })).body

describe('organizations', () => {
  test('the creator of an organization is its owner and only member', async () => {
    const founder = await newUser(server.current)
    const { status, body } = await call(founder, 'POST', 'orgs', { name: '  Data \n Team ' })
    const org = {
      id: UUID,
      name: 'Data Team',
      role: 'owner',
      is_active: false,
      seats: { used: 1, limit: 100 },
      created_at: ISO,
      updated_at: ISO,
    }
    expect([status, body]).toEqual([201, org])
    expect((await call(founder, 'GET', `orgs/${body.id}`)).body).toEqual(body)
    expect((await call(founder, 'GET', 'orgs')).body).toEqual([body])
    expect(await members(founder, body)).toEqual([
      {
        user_id: founder.id,
        username: expect.any(String),
        display_name: expect.any(String),
        email: founder.email,
        avatar_url: null,
        role: 'owner',
        joined_at: ISO,
      },
    ])
    expect(await orgAudit(founder)).toEqual([
      { action: 'org.created', subject: body.id, details: {} },
    ])
  })

  test('the name of an organization has 1-100 characters', async () => {
    const { id } = await createOrg(ada)
    for (const [body, type] of [
      [{}, 'missing'],
      [{ name: null }, 'string_type'],
      [{ name: ' ' }, 'string_too_short'],
      [{ name: 'x'.repeat(101) }, 'string_too_long'],
    ])
      for (const [method, path] of [
        ['POST', 'orgs'],
        ['PATCH', `orgs/${id}`],
      ] as const) {
        const answer = await call(ada, method, path, body)
        expect([answer.status, answer.body.detail]).toEqual([
          422,
          [{ loc: ['body', 'name'], type, msg: expect.any(String) }],
        ])
      }
  })

  test('an owner renames the organization', async () => {
    const org = await createOrg(ada, 'Old')
    const renamed = await call(ada, 'PATCH', `orgs/${org.id}`, { name: 'New', id: 'no', role: 'x' })
    expect([renamed.status, renamed.body]).toEqual([200, { ...org, name: 'New', updated_at: ISO }])
    expect((await orgAudit(ada))[0]).toEqual({
      action: 'org.renamed',
      subject: org.id,
      details: {},
    })
  })

  test('a user is in at most 100 organizations', async () => {
    const founder = await newUser(server.current)
    const answers = await Promise.all(
      Array.from({ length: 103 }, (_, i) => call(founder, 'POST', 'orgs', { name: `Org ${i}` })),
    )
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([...Array(100).fill(201), 409, 409, 409])
    expect((await call(founder, 'GET', 'orgs')).body).toHaveLength(100)
  })

  test('an unknown organization has the same error as one without membership', async () => {
    const { id } = await createOrg(ada)
    const rows = contract.filter(({ path }) => path.startsWith('/api/orgs/{org_id}'))
    expect(rows.length).toBeGreaterThan(9)
    const bodies: Record<string, object> = {
      updateOrg: { name: 'Mine' },
      changeOrgRole: { role: 'member' },
      createInvite: { email: 'ben@example.com' },
      createScimToken: { name: 'Okta' },
      createOrgWebhook: { url: 'https://example.com/' },
      replayOrgDeliveries: { since: new Date().toISOString() },
      setAllowedClients: { client_ids: null },
      createOrgDomain: { domain: 'acme.test' },
      updateOrgDomain: { joins: true },
      updateOrgPolicies: { session_hours: 8 },
    }
    for (const { name, method, path } of rows)
      for (const orgId of [id, NO_ID]) {
        const filled = path.replace('{org_id}', orgId).replaceAll(/\{\w+\}/g, ada.id)
        const { status, body } = await call(outsider, method, filled.slice(5), bodies[name])
        expect([name, status, body]).toEqual([name, ...NOT_MEMBER])
      }
  })

  test('a malformed organization id is 422', async () => {
    const { status, body } = await call(ada, 'GET', 'orgs/no-id')
    expect([status, body.detail]).toEqual([
      422,
      [{ loc: ['path', 'org_id'], type: 'uuid_parsing', msg: expect.any(String) }],
    ])
  })
})

describe('roles', () => {
  /** The actor, the target and the role of each change that is allowed. */
  const matrix: [actor: string, target: string, to: string, status: number][] = [
    ['owner', 'owner', 'member', 200],
    ['owner', 'admin', 'owner', 200],
    ['owner', 'member', 'owner', 200],
    ['owner', 'member', 'admin', 200],
    ['admin', 'owner', 'member', 403],
    ['admin', 'owner', 'owner', 403],
    ['admin', 'admin', 'owner', 403],
    ['admin', 'admin', 'member', 200],
    ['admin', 'member', 'owner', 403],
    ['admin', 'member', 'admin', 200],
    ['member', 'owner', 'member', 403],
    ['member', 'admin', 'member', 403],
    ['member', 'member', 'admin', 403],
  ]
  const removals: [actor: string, target: string, status: number][] = [
    ['owner', 'owner', 204],
    ['owner', 'admin', 204],
    ['owner', 'member', 204],
    ['admin', 'owner', 403],
    ['admin', 'admin', 204],
    ['admin', 'member', 204],
    ['member', 'owner', 403],
    ['member', 'admin', 403],
    ['member', 'member', 403],
  ]
  const team = async () => {
    const org = await createOrg(ada)
    const [owner, admin, member, otherOwner, otherAdmin, otherMember] = await Promise.all(
      (['owner', 'admin', 'member', 'owner', 'admin', 'member'] as const).map((role) =>
        join(ada, org, role),
      ),
    )
    return {
      org,
      actors: { owner, admin, member } as Record<string, TestUser>,
      targets: { owner: otherOwner, admin: otherAdmin, member: otherMember } as Record<
        string,
        TestUser
      >,
    }
  }
  const roleOf = async (org: { id: string }, user: TestUser | undefined) =>
    (await members(ada, org)).find(({ user_id }) => user_id === user?.id)?.role

  test('roles decide who changes which role', async () => {
    const { org, actors, targets } = await team()
    for (const [actor, target, to, expected] of matrix) {
      const path = `orgs/${org.id}/members/${targets[target]?.id}`
      const { status, body } = await call(actors[actor] as TestUser, 'PATCH', path, { role: to })
      expect([actor, target, to, status]).toEqual([actor, target, to, expected])
      if (expected === 200) expect(body).toMatchObject({ user_id: targets[target]?.id, role: to })
      else expect(body.detail).toMatch(/^Only an owner/)
      expect<string | undefined>(await roleOf(org, targets[target])).toBe(
        expected === 200 ? to : target,
      )
      await call(ada, 'PATCH', path, { role: target })
    }
  })

  test('roles decide who removes which member', async () => {
    const { org, actors, targets } = await team()
    for (const [actor, target, expected] of removals) {
      const user = targets[target] as TestUser
      const path = `orgs/${org.id}/members/${user.id}`
      const { status, body } = await call(actors[actor] as TestUser, 'DELETE', path)
      expect([actor, target, status]).toEqual([actor, target, expected])
      if (expected === 403) expect(body.detail).toMatch(/^Only an owner/)
      expect<string | undefined>(await roleOf(org, user)).toBe(
        expected === 204 ? undefined : target,
      )
      if (expected === 204) targets[target] = await join(ada, org, target as 'owner')
    }
  })

  test('roles decide who renames, deletes and invites', async () => {
    const { org, actors } = await team()
    const { admin, member } = actors as { admin: TestUser; member: TestUser }
    const invitees = { admin: 'a@example.com', member: 'm@example.com' }
    for (const [role, caller] of Object.entries({ admin, member })) {
      const tries = [
        await call(caller, 'GET', `orgs/${org.id}`),
        await call(caller, 'GET', `orgs/${org.id}/members`),
        await call(caller, 'PATCH', `orgs/${org.id}`, { name: 'Mine' }),
        await call(caller, 'DELETE', `orgs/${org.id}`),
        await call(caller, 'GET', `orgs/${org.id}/invites`),
        await call(caller, 'POST', `orgs/${org.id}/invites`, {
          email: invitees[role as 'admin'],
          role: 'admin',
        }),
        await call(caller, 'DELETE', `orgs/${org.id}/invites/${NO_ID}`),
      ]
      expect([role, ...tries.map(({ status }) => status)]).toEqual(
        role === 'admin'
          ? ['admin', 200, 200, 403, 403, 200, 201, 404]
          : ['member', 200, 200, 403, 403, 403, 403, 403],
      )
    }
  })

  test('an unknown role is 422, a role of a non-member 404', async () => {
    const org = await createOrg(ada)
    const path = `orgs/${org.id}/members`
    for (const [body, type] of [
      [{}, 'missing'],
      [{ role: 'king' }, 'literal_error'],
    ]) {
      const { status, body: answer } = await call(ada, 'PATCH', `${path}/${ada.id}`, body)
      expect([status, answer.detail[0].loc, answer.detail[0].type]).toEqual([
        422,
        ['body', 'role'],
        type,
      ])
    }
    for (const id of [outsider.id, NO_ID]) {
      const changed = await call(ada, 'PATCH', `${path}/${id}`, { role: 'admin' })
      expect([changed.status, changed.body]).toEqual([404, { detail: 'Member not found' }])
      expect((await call(ada, 'DELETE', `${path}/${id}`)).status).toBe(404)
    }
  })

  test('a role change is recorded for both users; an unchanged role is not', async () => {
    const org = await createOrg(ada)
    const ben = await join(ada, org)
    for (const role of ['admin', 'admin'])
      await call(ada, 'PATCH', `orgs/${org.id}/members/${ben.id}`, { role })
    const details = { user_id: ben.id, from: 'member', to: 'admin' }
    const entry = { action: 'org.role_changed', subject: org.id }
    expect((await orgAudit(ben)).slice(0, 2)).toEqual([
      { ...entry, details: { ...details, by: ada.id } },
      {
        action: 'org.member_joined',
        subject: org.id,
        details: { user_id: ben.id, role: 'member' },
      },
    ])
    expect((await orgAudit(ada)).slice(0, 2)).toEqual([
      { ...entry, details },
      {
        action: 'org.member_joined',
        subject: org.id,
        details: { user_id: ben.id, role: 'member', by: ben.id },
      },
    ])
  })
})

describe('the last owner', () => {
  const LAST = {
    detail:
      'An organization needs an owner: make another member an owner first, or delete the organization',
  }

  test('the last owner can neither step down nor leave', async () => {
    const org = await createOrg(ada)
    await join(ada, org, 'admin')
    const path = `orgs/${org.id}/members/${ada.id}`
    const demoted = await call(ada, 'PATCH', path, { role: 'admin' })
    expect([demoted.status, demoted.body]).toEqual([409, LAST])
    const removal = await call(ada, 'DELETE', path.replace(ada.id, ada.id.toUpperCase()))
    expect([removal.status, removal.body]).toEqual([409, LAST])
    expect((await call(ada, 'PATCH', path, { role: 'owner' })).status).toBe(200)
  })

  test('two owners who demote each other in parallel leave one owner', async () => {
    for (let i = 0; i < 5; i++) {
      const org = await createOrg(ada)
      const ben = await join(ada, org, 'owner')
      const answers = await Promise.all([
        call(ada, 'PATCH', `orgs/${org.id}/members/${ben.id}`, { role: 'member' }),
        call(ben, 'PATCH', `orgs/${org.id}/members/${ada.id}`, { role: 'member' }),
      ])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 403])
      const owners = (await members(ada, org)).filter(({ role }) => role === 'owner')
      expect(owners).toHaveLength(1)
    }
  })

  test('owners who step down or leave in parallel leave one owner', async () => {
    const org = await createOrg(ada)
    const owners = [ada, await join(ada, org, 'owner'), await join(ada, org, 'owner')]
    const answers = await Promise.all(
      owners.map((owner, i) => {
        const path = `orgs/${org.id}/members/${owner.id}`
        return i === 0
          ? call(owner, 'DELETE', path)
          : call(owner, 'PATCH', path, { role: 'member' })
      }),
    )
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 409)).toHaveLength(1)
    const last = owners[statuses.indexOf(409)] as TestUser
    expect((await members(last, org)).filter(({ role }) => role === 'owner')).toHaveLength(1)
  })
})

describe('ending a membership', () => {
  test("a removed member and the member's keys are refused on the next request", async () => {
    const org = await createOrg(ada)
    const ben = await join(ada, org)
    const ofOrg = await newKey(ben, org.id)
    expect((await me({ ...ben, accessToken: ofOrg.key })).org).toEqual({
      id: org.id,
      name: org.name,
      role: 'member',
    })
    await call(ben, 'POST', `orgs/${org.id}/activate`)
    expect((await me(ben)).org.id).toBe(org.id)

    expect((await call(ada, 'DELETE', `orgs/${org.id}/members/${ben.id}`)).text).toBe('')
    expect((await me(ben)).org).toBeNull()
    const refused = await call({ accessToken: ofOrg.key }, 'GET', 'me')
    expect([refused.status, refused.body]).toEqual([401, { detail: 'Invalid API key' }])
    const { status, body } = await call(ben, 'GET', 'me', undefined, {
      headers: { 'x-org-id': org.id },
    })
    expect([status, body]).toEqual([...NOT_MEMBER])
    expect((await call(ben, 'GET', `orgs/${org.id}`)).status).toBe(403)
    expect((await call(ben, 'GET', 'orgs')).body).toEqual([])
    const keys = (await call(ben, 'GET', 'auth/api-keys')).body
    expect(keys.map(({ id }: { id: string }) => id)).toEqual([ben.keyId])
    const details = { user_id: ben.id }
    expect((await orgAudit(ada))[0]).toEqual({
      action: 'org.member_removed',
      subject: org.id,
      details,
    })
    expect((await orgAudit(ben))[0]?.details).toEqual({ ...details, by: ada.id })
  })

  test('a removal in parallel with key creation leaves no key', async () => {
    const org = await createOrg(ada)
    for (let i = 0; i < 5; i++) {
      const ben = await join(ada, org)
      const [removed, ...created] = await Promise.all([
        call(ada, 'DELETE', `orgs/${org.id}/members/${ben.id}`),
        ...Array.from({ length: 5 }, () => newKey(ben, org.id)),
      ])
      expect(removed.status).toBe(204)
      for (const key of created.filter(({ key }) => key))
        expect((await call({ accessToken: key.key }, 'GET', 'me')).status).toBe(401)
      expect((await call(ben, 'GET', 'auth/api-keys')).body).toHaveLength(1)
    }
  })

  test('a member who returns does not have the organization active', async () => {
    const org = await createOrg(ada)
    const ben = await join(ada, org)
    await call(ben, 'POST', `orgs/${org.id}/activate`)
    expect((await call(ben, 'DELETE', `orgs/${org.id}/members/${ben.id}`)).status).toBe(204)
    const again = await call(ada, 'POST', `orgs/${org.id}/invites`, { email: ben.email })
    const token = new URL(again.body.invite_url).searchParams.get('token')
    expect((await call(ben, 'POST', 'invites/accept', { token })).body.is_active).toBe(false)
    expect((await me(ben)).org).toBeNull()
  })
})

describe('the active organization', () => {
  test('requests without X-Org-ID act in the active organization until it is reset', async () => {
    const [first, second] = [await createOrg(ada, 'First'), await createOrg(ada, 'Second')]
    const { status, body } = await call(ada, 'POST', `orgs/${first.id}/activate`)
    expect([status, body]).toEqual([200, { ...first, is_active: true }])
    expect((await me(ada)).org).toEqual({ id: first.id, name: 'First', role: 'owner' })
    await call(ada, 'POST', `orgs/${second.id}/activate`)
    const active = (await call(ada, 'GET', 'orgs')).body.filter(
      (org: { is_active: boolean }) => org.is_active,
    )
    expect(active.map(({ id }: { id: string }) => id)).toEqual([second.id])
    const back = await call(ada, 'POST', 'orgs/deactivate')
    expect([back.status, back.text]).toEqual([204, ''])
    expect((await me(ada)).org).toBeNull()
    expect((await orgAudit(ada))[0]).toEqual({
      action: 'org.activated',
      subject: second.id,
      details: {},
    })
  })
})

describe('a key of an organization', () => {
  test('a key of an organization reaches only this organization', async () => {
    const [mine, other] = [await createOrg(ada, 'Mine'), await createOrg(ada, 'Other')]
    const key = { accessToken: (await newKey(ada, mine.id)).key }
    const listed = await call(key, 'GET', 'orgs')
    expect(listed.body.map(({ id }: { id: string }) => id)).toEqual([mine.id])
    for (const path of [`orgs/${mine.id}`, `orgs/${mine.id.toUpperCase()}/members`])
      expect((await call(key, 'GET', path)).status).toBe(200)
    for (const path of [
      `orgs/${other.id}`,
      `orgs/${other.id}/members`,
      `orgs/${other.id}/invites`,
    ]) {
      const { status, body } = await call(key, 'GET', path)
      expect([status, body]).toEqual([...NOT_MEMBER])
    }
    for (const [method, path, body] of [
      ['POST', 'orgs', { name: 'More' }],
      ['POST', `orgs/${mine.id}/activate`],
      ['POST', 'orgs/deactivate'],
      ['POST', 'invites/accept', { token: 'x' }],
    ] as const)
      expect([path, (await call(key, method, path, body)).status]).toEqual([path, 403])
  })
})

describe('deleting an organization', () => {
  test('deleting an organization deletes its members, invites, keys and memories only', async () => {
    const org = await createOrg(ada)
    const ben = await join(ada, org)
    await call(ben, 'POST', `orgs/${org.id}/activate`)
    const invited = await call(ada, 'POST', `orgs/${org.id}/invites`, { email: 'c@example.com' })
    const token = new URL(invited.body.invite_url).searchParams.get('token')
    const { key } = await newKey(ben, org.id)
    const remember = (accessToken: string, content: string) =>
      call({ accessToken }, 'POST', 'remember', { content })
    const shared = (await remember(key, 'The office is in Porto')).body
    const own = (await remember(ben.key, 'The garden is in Faro')).body
    expect((await call(ben, 'GET', `memories/${shared.memory_id}`)).status).toBe(200)

    const deleted = await call(ada, 'DELETE', `orgs/${org.id}`)
    expect([deleted.status, deleted.text]).toEqual([204, ''])
    for (const user of [ada, ben]) {
      expect((await call(user, 'GET', `orgs/${org.id}`)).status).toBe(403)
      expect((await orgAudit(user))[0]).toMatchObject({ action: 'org.deleted', subject: org.id })
    }
    expect((await call({ accessToken: key }, 'GET', 'me')).status).toBe(401)
    expect((await me(ben)).org).toBeNull()
    expect((await call(outsider, 'POST', 'invites/accept', { token })).status).toBe(410)
    expect((await call(ben, 'GET', `memories/${shared.memory_id}`)).status).toBe(404)
    expect((await call(ben, 'GET', `memories/${own.memory_id}`)).status).toBe(200)
  })

  test('a deleted organization leaves rows in the audit log only', async () => {
    await using restartable = await startRestartable()
    const orgClient = createOrgClient(restartable)
    const owner = await newVerifiedUser(restartable.current)
    const org = await orgClient.createOrg(owner)
    const ben = await orgClient.join(owner, org)
    await orgClient.invite(owner, org, 'waits@example.com')
    await orgClient.call(owner, 'POST', 'auth/api-keys', { name: 'team', org_id: org.id })
    const inOrg = { headers: { 'x-org-id': org.id } }
    for (const content of ['I live in Lisbon', 'I lived in Porto', 'I live in Faro'])
      await orgClient.call(
        ben,
        'POST',
        'remember',
        { content, thread: 'homes', author: 'Ben' },
        inOrg,
      )
    await restartable.restart()
    const busy = orgClient.call(
      ben,
      'POST',
      'remember',
      { content: 'Late, I live in Braga' },
      inOrg,
    )
    // The events of the last recalls are stored after the deletion.
    const recalling = (async () => {
      let status = 200
      while (status === 200)
        status = (await orgClient.call(ben, 'POST', 'recall', { query: 'Home?' }, inOrg)).status
      return status
    })()
    const path = `orgs/${org.id.toUpperCase()}`
    expect((await orgClient.call(owner, 'DELETE', path)).status).toBe(204)
    expect([201, 403]).toContain((await busy).status)
    expect(await recalling).toBe(403)
    await restartable.current.stop()
    const tables = await runSql(
      restartable.database,
      `select quote_ident(table_schema) || '.' || quote_ident(table_name) as name
      from information_schema.tables
      where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
    )
    const naming = tables.map(
      ({ name }) =>
        `select '${name}' as name from ${name} t where position('${org.id}' in t::text) > 0`,
    )
    const rows = await runSql(restartable.database, naming.join(' union '))
    expect(rows).toEqual([{ name: 'public.audit_log' }])
    await restartable.restart()
  })

  test('an organization is deleted once while members write, join, leave and create keys', async () => {
    const org = await createOrg(ada)
    const [ben, cleo] = [await join(ada, org, 'owner'), await join(ada, org)]
    const { key } = await newKey(ben, org.id)
    let isOver = false
    const answers: number[] = []
    const busy = [
      (i: number) => call({ accessToken: key }, 'POST', 'remember', { content: `Note ${i}` }),
      () => call(cleo, 'POST', 'auth/api-keys', { name: 'late', org_id: org.id }),
      (i: number) =>
        call(ben, 'PATCH', `orgs/${org.id}/members/${cleo.id}`, {
          role: i % 2 ? 'admin' : 'member',
        }),
      (i: number) => call(ben, 'POST', `orgs/${org.id}/invites`, { email: `i${i}@example.com` }),
    ].map(async (act) => {
      for (let i = 0; !isOver; i++) answers.push((await act(i)).status)
    })
    await eventually(() => answers.length >= 30)
    const deleted = await Promise.all(
      [ada, ben].map((caller) => call(caller, 'DELETE', `orgs/${org.id}`)),
    )
    isOver = true
    await Promise.all(busy)
    expect(deleted.map(({ status }) => status).sort()).toEqual([204, 403])
    for (const status of answers) expect([200, 201, 401, 402, 403, 429]).toContain(status)
    const removal = await request(server.current, 'GET', '/api/auth/api-keys', {
      token: cleo.accessToken,
    })
    expect(removal.body).toHaveLength(1)
  })
})

describe('an API key', () => {
  test('a key of an owner deletes the organization that it created; a key of an organization deletes none', async () => {
    const owner = await newUser(server.current)
    const withKey = { ...owner, accessToken: owner.key }
    const org = await createOrg(withKey)
    const { key } = (await call(owner, 'POST', 'auth/api-keys', { name: 'org', org_id: org.id }))
      .body
    const refused = await call({ accessToken: key }, 'DELETE', `orgs/${org.id}`)
    expect([refused.status, refused.body.detail]).toEqual([403, expect.any(String)])
    expect((await call(withKey, 'DELETE', `orgs/${org.id}`)).status).toBe(204)
    expect((await call(owner, 'GET', 'orgs')).body).toEqual([])
  })
})
