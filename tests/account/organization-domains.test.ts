import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { OrgDomain } from '../../shared/contract/organization-domains.ts'
import { type DnsServer, startDns, textAnswer } from '../harness/dns.ts'
import { eventually } from '../harness/eventually.ts'
import { ISO, newVerifiedUser, runSql, UUID } from '../harness/http.ts'
import {
  newUser,
  PASSWORD,
  request,
  startServer,
  type TestServer,
  type TestUser,
} from '../harness/server.ts'
import { createOrgClient, NO_ID, NOT_MEMBER } from './organization-support.ts'

setDefaultTimeout(120_000)
let dns: DnsServer
const server = {} as { current: TestServer }
const { call, createOrg, invite, join, members, orgAudit } = createOrgClient(server)

beforeAll(async () => {
  dns = await startDns()
  const env = { SVC_DEFAULT_TIER: 'awakened' }
  server.current = await startServer(env, undefined, { fetching: { nameServers: [dns.address] } })
})
afterAll(async () => {
  await server.current?.stop()
  await dns?.[Symbol.asyncDispose]()
})

type Org = Pick<{ id: string }, 'id'>
const MISSING = [
  409,
  {
    detail:
      'The DNS of the domain has no such TXT record yet. New records can take an hour until they are seen; then verify again',
  },
] as const

const newDomain = () => `acme-${crypto.randomUUID().slice(0, 13)}.test`
const at = (org: Org, domain?: { id: string }) =>
  `orgs/${org.id}/domains${domain ? `/${domain.id}` : ''}`
const add = (who: TestUser, org: Org, domain: unknown, joins?: unknown) =>
  call(who, 'POST', at(org), { domain, ...(joins !== undefined && { joins }) })
const verify = (who: TestUser, org: Org, domain: { id: string }) =>
  call(who, 'POST', `${at(org, domain)}/verify`)
const listed = async (who: TestUser, org: Org): Promise<OrgDomain[]> =>
  (await call(who, 'GET', at(org))).body
const signIn = (user: Pick<TestUser, 'email'>) =>
  request(server.current, 'POST', '/api/auth/signin', {
    body: { email: user.email, password: PASSWORD },
  })
const orgsOf = async (user: TestUser): Promise<string[]> =>
  (await call(user, 'GET', 'orgs')).body.map(({ id }: Org) => id)

/** A verified domain of an organization. */
const verified = async (who: TestUser, org: Org, joins = true): Promise<OrgDomain> => {
  const name = newDomain()
  const { body: added } = await add(who, org, name, joins)
  dns.setText(name, 'v=spf1 -all', added.record.value)
  const { status, body } = await verify(who, org, added)
  if (status !== 200) throw new Error(`not verified: ${status} ${JSON.stringify(body)}`)
  return body
}

/** An organization with a verified domain whose users join. */
const orgWithDomain = async (joins = true) => {
  const ada = await newVerifiedUser(server.current)
  const org = await createOrg(ada)
  return { ada, org, domain: await verified(ada, org, joins) }
}

const newColleague = (domain: OrgDomain) =>
  newVerifiedUser(server.current, `user-${crypto.randomUUID()}@${domain.domain}`)

describe('adding a domain', () => {
  test('the response has the record that verifies it, and the list repeats it', async () => {
    const ada = await newVerifiedUser(server.current)
    const org = await createOrg(ada)
    const { status, body } = await add(ada, org, '  Acme-Größe.Test ')
    expect([status, body]).toEqual([
      201,
      {
        id: UUID,
        domain: 'xn--acme-gre-wya3u.test',
        joins: false,
        record: {
          name: 'xn--acme-gre-wya3u.test',
          type: 'TXT',
          value: expect.stringMatching(/^svc-domain-verification=[\w-]{43}$/),
        },
        verified_at: null,
        checked_at: null,
        missing_since: null,
        created_at: ISO,
      },
    ])
    expect(await listed(ada, org)).toEqual([body])
    expect((await orgAudit(ada))[0]).toMatchObject({ action: 'org.domain_added', subject: org.id })
    const same = await add(ada, org, 'acme-größe.test')
    expect([same.status, same.body]).toEqual([
      409,
      { detail: 'The organization has this domain already' },
    ])
  })

  test.each([
    ['*.acme.test'],
    ['192.0.2.1'],
    ['[2001:db8::1]'],
    ['2001:db8::1'],
    ['acme.test.'],
    ['.acme.test'],
    ['acme..test'],
    ['-acme.test'],
    ['acme-.test'],
    ['acme'],
    ['ac me.test'],
    ['ac%6de.test'],
    ['https://acme.test'],
    ['acme.test:25'],
    ['ada@acme.test'],
    ['acme.test\\evil'],
    [`${'a'.repeat(64)}.test`],
    ['a_b.test'],
    ['gmail.com'],
    ['Outlook.COM'],
    ['mailinator.com'],
    ['x.mailinator.com'],
  ])('%p is refused', async (domain) => {
    const ada = await newVerifiedUser(server.current)
    const org = await createOrg(ada)
    const { status, body } = await add(ada, org, domain)
    expect([status, body.detail[0].loc, body.detail[0].type]).toEqual([
      422,
      ['body', 'domain'],
      'value_error',
    ])
  })

  test('a name of 300 characters, another type and a missing name are refused', async () => {
    const ada = await newVerifiedUser(server.current)
    const org = await createOrg(ada)
    for (const [domain, type] of [
      [`${'a.'.repeat(149)}te`, 'string_too_long'],
      [7, 'string_type'],
      ['', 'string_too_short'],
      [undefined, 'missing'],
    ] as const) {
      const { status, body } = await add(ada, org, domain)
      expect([domain, status, body.detail?.[0]?.type]).toEqual([domain, 422, type])
    }
    expect((await add(ada, org, newDomain(), 'yes')).status).toBe(422)
  })

  test('one domain more than the limit is refused', async () => {
    const ada = await newVerifiedUser(server.current)
    const org = await createOrg(ada)
    const answers = await Promise.all(Array.from({ length: 21 }, () => add(ada, org, newDomain())))
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(20).fill(201), 409])
    expect(await listed(ada, org)).toHaveLength(20)
  })
})

describe('access', () => {
  test('members, users of other organizations and ids of other organizations are refused', async () => {
    const { ada, org, domain } = await orgWithDomain()
    const ben = await join(ada, org)
    const eve = await newVerifiedUser(server.current)
    const other = await createOrg(eve)
    const requests = (who: TestUser, of: Org) => [
      call(who, 'GET', at(of)),
      add(who, of, newDomain()),
      verify(who, of, domain),
      call(who, 'PATCH', at(of, domain), { joins: false }),
      call(who, 'DELETE', at(of, domain)),
    ]
    for (const { status, body } of await Promise.all(requests(ben, org)))
      expect([status, body]).toEqual([
        403,
        { detail: 'Only an owner or an admin of the organization can do this' },
      ])
    for (const of of [org, { id: NO_ID }])
      for (const { status, body } of await Promise.all(requests(eve, of)))
        expect([status, body]).toEqual([...NOT_MEMBER])
    const [, , ...inOther] = await Promise.all(requests(eve, other))
    for (const { status, body } of inOther)
      expect([status, body]).toEqual([404, { detail: 'Domain not found' }])
    expect(await listed(ada, org)).toEqual([domain])
  })

  test('an admin manages domains, and ids in upper case are the same', async () => {
    const { ada, org, domain } = await orgWithDomain()
    const upper = { id: org.id.toUpperCase() }
    const boss = await join(ada, org, 'admin')
    const { status, body } = await call(boss, 'PATCH', at(upper, { id: domain.id.toUpperCase() }), {
      joins: false,
    })
    expect([status, body]).toEqual([200, { ...domain, joins: false }])
    expect((await verify(boss, upper, domain)).status).toBe(200)
    expect((await call(boss, 'DELETE', at(upper, domain))).status).toBe(204)
    expect(await listed(boss, org)).toEqual([])
  })
})

describe('verification', () => {
  test('the record verifies the domain, among others', async () => {
    const ada = await newVerifiedUser(server.current)
    const org = await createOrg(ada)
    const name = newDomain()
    const { body: added } = await add(ada, org, name)
    expect(await verify(ada, org, added).then(({ status, body }) => [status, body])).toEqual([
      ...MISSING,
    ])
    dns.setText(name, 'google-site-verification=1', added.record.value, 'x'.repeat(300))
    const { status, body } = await verify(ada, org, added)
    expect([status, body]).toEqual([200, { ...added, verified_at: ISO, checked_at: ISO }])
    expect((await orgAudit(ada))[0]).toEqual({
      action: 'org.domain_verified',
      subject: org.id,
      details: { domain: name, joins: 'false' },
    })
  })

  test.each([
    [
      'the token of another organization',
      'svc-domain-verification=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    ],
    ['a record with more text', 'VALUE more'],
    ['a record in quotes', '"VALUE"'],
    ['a record in upper case', 'SVC-DOMAIN-VERIFICATION=TOKEN'],
    ['no text', ''],
  ])('%s does not verify', async (_, text) => {
    const ada = await newVerifiedUser(server.current)
    const org = await createOrg(ada)
    const name = newDomain()
    const { body: added } = await add(ada, org, name)
    const [, token] = added.record.value.split('=')
    dns.setText(name, text.replace('VALUE', added.record.value).replace('TOKEN', token))
    const { status, body } = await verify(ada, org, added)
    expect([status, body]).toEqual([...MISSING])
  })

  test('a record at a subdomain does not verify; a name that is an alias has the record of its target', async () => {
    const ada = await newVerifiedUser(server.current)
    const org = await createOrg(ada)
    const name = newDomain()
    const { body: added } = await add(ada, org, name)
    dns.setText(`mail.${name}`, added.record.value)
    expect((await verify(ada, org, added)).status).toBe(409)
    dns.respond(name, () => ({
      answers: [
        { name, type: 'CNAME', ttl: 0, data: `host.${name}` },
        textAnswer(`host.${name}`, added.record.value),
      ],
    }))
    expect((await verify(ada, org, added)).status).toBe(200)
  })

  test('a large response is read over TCP, and another form of no record is none', async () => {
    const ada = await newVerifiedUser(server.current)
    const org = await createOrg(ada)
    const name = newDomain()
    const { body: added } = await add(ada, org, name)
    dns.respond(name, () => ({ answers: [] }))
    expect((await verify(ada, org, added)).status).toBe(409)
    dns.respond(name, undefined)
    const noise = Array.from({ length: 200 }, (_, i) => `${i} ${'x'.repeat(250)}`)
    dns.setText(name, ...noise)
    expect((await verify(ada, org, added)).status).toBe(409)
    dns.setText(name, ...noise, added.record.value)
    expect((await verify(ada, org, added)).status).toBe(200)
  })

  test.each([
    ['that does not answer', () => undefined],
    ['that fails', () => ({ rcode: 'SERVFAIL' as const })],
    ['that sends no DNS message', () => ({ bytes: Buffer.alloc(64, 0xff) })],
  ])('a name server %s leads to 502 within seconds', async (_, respond) => {
    const ada = await newVerifiedUser(server.current)
    const org = await createOrg(ada)
    const name = newDomain()
    const { body: added } = await add(ada, org, name)
    dns.respond(name, respond)
    const start = performance.now()
    const { status, body } = await verify(ada, org, added)
    expect([status, body]).toEqual([
      502,
      { detail: 'The name servers of the domain did not answer. Try again later' },
    ])
    expect(performance.now() - start).toBeLessThan(15_000)
  })

  test('only one organization verifies a domain, also in parallel, until it is removed there', async () => {
    const name = newDomain()
    const rivals = await Promise.all(
      [1, 2, 3].map(async () => {
        const user = await newVerifiedUser(server.current)
        const org = await createOrg(user)
        return { user, org, added: (await add(user, org, name)).body as OrgDomain }
      }),
    )
    dns.setText(name, ...rivals.map(({ added }) => added.record.value))
    const attempt = () =>
      Promise.all(rivals.map(({ user, org, added }) => verify(user, org, added)))
    const answers = await attempt()
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    const refused = answers.find(({ status }) => status === 409)
    expect(refused?.body).toEqual({
      detail: 'Another organization has verified this domain; remove it there first',
    })
    const winner = rivals[answers.findIndex(({ status }) => status === 200)]
    if (!winner) throw new Error('none was verified')
    expect((await call(winner.user, 'DELETE', at(winner.org, winner.added))).status).toBe(204)
    const [loser] = rivals.filter((rival) => rival !== winner)
    if (!loser) throw new Error('there is one rival')
    expect((await verify(loser.user, loser.org, loser.added)).status).toBe(200)
  })

  test('more than 60 checks an hour are refused', async () => {
    const ada = await newVerifiedUser(server.current)
    const org = await createOrg(ada)
    const { body: added } = await add(ada, org, newDomain())
    const answers = []
    for (let n = 0; n < 61; n++) answers.push((await verify(ada, org, added)).status)
    expect(answers).toEqual([...Array(60).fill(409), 429])
  })
})

describe('joining', () => {
  test('a user joins as member when the address is verified, and the organization is not their default', async () => {
    const { ada, org, domain } = await orgWithDomain()
    const ben = await newUser(server.current, `ben@${domain.domain}`)
    expect(await orgsOf(ben)).toEqual([])
    expect((await signIn(ben)).status).toBe(200)
    expect(await orgsOf(ben)).toEqual([])
    const mail = await server.current.noticed(new RegExp(`^Mail to ${ben.email} [^]*/verify\\?`))
    const token = /\/verify\?token=([\w-]+)/.exec(mail)?.[1]
    await request(server.current, 'POST', '/api/auth/verify-email', { body: { token } })
    const { body: orgs } = await call(ben, 'GET', 'orgs')
    expect(orgs).toMatchObject([{ id: org.id, role: 'member', is_active: false }])
    expect((await call(ben, 'GET', 'me')).body.org).toBeNull()
    expect((await orgAudit(ben))[0]).toEqual({
      action: 'org.member_joined',
      subject: org.id,
      details: { user_id: ben.id, role: 'member', domain: domain.domain },
    })
    expect((await members(ada, org)).map(({ user_id, role }) => [user_id, role])).toEqual([
      [ada.id, 'owner'],
      [ben.id, 'member'],
    ])
  })

  test('a user who had the address before joins at the next sign-in, once the domain lets users join', async () => {
    const name = newDomain()
    const ben = await newVerifiedUser(server.current, `ben@${name}`)
    const ada = await newVerifiedUser(server.current)
    const org = await createOrg(ada)
    const { body: added } = await add(ada, org, name)
    const state = async () => {
      expect((await signIn(ben)).status).toBe(200)
      return orgsOf(ben)
    }
    expect(await state()).toEqual([])
    dns.setText(name, added.record.value)
    await verify(ada, org, added)
    expect(await state()).toEqual([])
    await call(ada, 'PATCH', at(org, added), { joins: true })
    expect(await state()).toEqual([org.id])
  })

  test('addresses at a subdomain, a parent domain and a domain that ends alike do not join', async () => {
    const { domain } = await orgWithDomain()
    for (const other of [
      `mail.${domain.domain}`,
      `x${domain.domain}`,
      `${domain.domain}.evil.test`,
    ]) {
      const user = await newVerifiedUser(server.current, `ben@${other}`)
      await signIn(user)
      expect(await orgsOf(user)).toEqual([])
    }
  })

  test('an unverified domain and one without joins give no membership', async () => {
    const { domain } = await orgWithDomain(false)
    const ada = await newVerifiedUser(server.current)
    const { body: unverified } = await add(ada, await createOrg(ada), newDomain(), true)
    for (const each of [domain, unverified])
      expect(await orgsOf(await newColleague(each))).toEqual([])
  })

  test('parallel sign-ins make one membership and one event', async () => {
    const { ada, org, domain } = await orgWithDomain(false)
    const ben = await newColleague(domain)
    await call(ada, 'PATCH', at(org, domain), { joins: true })
    const answers = await Promise.all(Array.from({ length: 4 }, () => signIn(ben)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(await orgsOf(ben)).toEqual([org.id])
    const joined = (await orgAudit(ben)).filter(({ action }) => action === 'org.member_joined')
    expect(joined).toHaveLength(1)
  })

  test('a member who was removed or left joins again by an invite only', async () => {
    const { ada, org, domain } = await orgWithDomain()
    const [ben, eva] = [await newColleague(domain), await newColleague(domain)]
    expect(
      (await call(ada, 'DELETE', `orgs/${org.id.toUpperCase()}/members/${ben.id}`)).status,
    ).toBe(204)
    expect((await call(eva, 'DELETE', `orgs/${org.id}/members/${eva.id}`)).status).toBe(204)
    for (const user of [ben, eva]) {
      expect((await signIn(user)).status).toBe(200)
      expect(await orgsOf(user)).toEqual([])
    }
    // A new account with the address is the same user.
    await call(ben, 'DELETE', 'auth/delete-account', { password: PASSWORD })
    const again = await newUser(server.current, ben.email)
    const verify = `update users set email_verified = true where id = '${again.id}'`
    await runSql(server.current.database, verify)
    expect((await signIn(again)).status).toBe(200)
    expect(await orgsOf(again)).toEqual([])
    const { token } = await invite(ada, org, ben.email)
    expect((await call(again, 'POST', 'invites/accept', { token })).status).toBe(200)
    expect(await orgsOf(again)).toEqual([org.id])
  })

  test('an open invite to the address is not used up: the user accepts it with its role', async () => {
    const { ada, org, domain } = await orgWithDomain()
    const email = `boss@${domain.domain}`
    const { token } = await invite(ada, org, email, 'admin')
    const boss = await newVerifiedUser(server.current, email)
    expect(await orgsOf(boss)).toEqual([])
    const { body } = await call(boss, 'POST', 'invites/accept', { token })
    expect(body).toMatchObject({ id: org.id, role: 'admin' })
  })

  test('without a free seat the sign-in succeeds without a membership', async () => {
    const { ada, org, domain } = await orgWithDomain()
    for (let n = 0; n < 9; n++) await invite(ada, org, `invited-${n}@example.com`)
    const ben = await newColleague(domain)
    expect((await signIn(ben)).status).toBe(200)
    expect(await orgsOf(ben)).toEqual([])
  })

  test('a user of 100 organizations signs in and does not join', async () => {
    const { domain } = await orgWithDomain()
    const ben = await newUser(server.current, `ben@${domain.domain}`)
    await runSql(
      server.current.database,
      `with new as (insert into orgs (id, name) select gen_random_uuid(), 'Org' from generate_series(1, 100) returning id)
       insert into org_members (org_id, user_id, role) select id, '${ben.id}', 'owner' from new`,
      `update users set email_verified = true where id = '${ben.id}'`,
    )
    expect((await signIn(ben)).status).toBe(200)
    expect(await orgsOf(ben)).toHaveLength(100)
  })
})

describe('the daily check', () => {
  const age = (column: string, domain: OrgDomain, days: number) =>
    `update organization_domains set ${column} = now() - interval '${days} days' where id = '${domain.id}'`
  /** Makes a domain due, runs the job, and returns the domain after its check. */
  const checked = async (who: TestUser, org: Org, domain: OrgDomain, ...statements: string[]) => {
    await runSql(
      server.current.database,
      ...statements,
      age('checked_at', domain, 2),
      `insert into jobs.job (name, data) values ('organization-domains', '{}')`,
    )
    return eventually(async () => {
      const found = (await listed(who, org)).find(({ id }) => id === domain.id)
      const isChecked = Date.now() - Date.parse(found?.checked_at ?? '') < 86_400_000
      return isChecked && found
    })
  }

  test('a missing record is shown and ends the verification after seven days', async () => {
    const { ada, org, domain } = await orgWithDomain()
    const ben = await newColleague(domain)
    expect(await checked(ada, org, domain)).toEqual({ ...domain, checked_at: ISO })
    dns.setText(domain.domain, 'v=spf1 -all')
    expect(await checked(ada, org, domain)).toEqual({
      ...domain,
      checked_at: ISO,
      missing_since: ISO,
    })
    expect((await checked(ada, org, domain, age('missing_since', domain, 6))).verified_at).toEqual(
      ISO,
    )
    await checked(ada, org, domain, age('missing_since', domain, 8))
    const ended = await eventually(async () => {
      const [found] = await listed(ada, org)
      return found?.verified_at === null && found
    })
    expect(ended).toMatchObject({ verified_at: null, missing_since: ISO })
    expect((await orgAudit(ada))[0]).toEqual({
      action: 'org.domain_ended',
      subject: org.id,
      details: { domain: domain.domain, reason: 'record_missing' },
    })
    expect(await orgsOf(await newColleague(domain))).toEqual([])
    expect(await orgsOf(ben)).toEqual([org.id])
    dns.setText(domain.domain, domain.record.value)
    expect((await verify(ada, org, domain)).body).toMatchObject({
      verified_at: ISO,
      missing_since: null,
    })
  })

  test('a record that is back resets the time, and name servers that fail do not begin it', async () => {
    const { ada, org, domain } = await orgWithDomain()
    dns.respond(domain.domain, () => ({ rcode: 'SERVFAIL' }))
    expect((await checked(ada, org, domain)).missing_since).toBeNull()
    dns.respond(domain.domain, () => ({ rcode: 'NXDOMAIN' }))
    expect((await checked(ada, org, domain)).missing_since).toEqual(ISO)
    dns.respond(domain.domain, undefined)
    expect(
      (await checked(ada, org, domain, age('missing_since', domain, 30))).missing_since,
    ).toBeNull()
  })
})
