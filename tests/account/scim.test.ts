import { beforeAll, describe, expect, test } from 'bun:test'
import { ISO, runSql, UUID } from '../harness/http.ts'
import { request, useServer } from '../harness/server.ts'
import { createOrgClient } from './organization-support.ts'
import { CORE, errorOf, MESSAGES, NO_ID, newProvider, type Provider } from './scim-support.ts'

const server = useServer()
const { call, join } = createOrgClient(server)
let provider: Provider
beforeAll(async () => {
  provider = await newProvider(server.current)
})

const found = async (filter: string, more = ''): Promise<string[]> => {
  const path = `Users?filter=${encodeURIComponent(filter)}${more}`
  const { status, body } = await provider.send('GET', path)
  expect([filter, status]).toEqual([filter, 200])
  return body.Resources.map(({ userName }: { userName: string }) => userName.split('@')[0])
}

describe('tokens', () => {
  test('an owner creates a token, which is returned once', async () => {
    const { owner, org } = await newProvider(server.current)
    const path = `orgs/${org.id}/scim/tokens`
    const { status, body } = await call(owner, 'POST', path, { name: 'Entra ID' })
    expect([status, body]).toEqual([
      201,
      {
        id: UUID,
        name: 'Entra ID',
        created_at: ISO,
        last_used_at: null,
        expires_at: null,
        token: expect.stringMatching(/^svc_scim_[0-9A-Za-z]{49}$/),
      },
    ])
    const used = await request(server.current, 'GET', '/api/scim/v2/Users', { token: body.token })
    expect(used.status).toBe(200)
    const overview = await call(owner, 'GET', path)
    const { token: _token, ...shown } = body
    expect(overview.body).toMatchObject({
      base_url: `${server.current.baseUrl}/api/scim/v2`,
      user_count: 0,
      group_count: 0,
      tokens: [{ name: 'Okta' }, { ...shown, last_used_at: ISO }],
    })
    expect(overview.text).not.toContain('svc_scim_')
    expect((await call(owner, 'DELETE', `${path}/${body.id}`)).status).toBe(204)
    const revoked = await request(server.current, 'GET', '/api/scim/v2/Users', {
      token: body.token,
    })
    expect(errorOf(revoked)).toEqual([401, undefined])
    expect((await call(owner, 'DELETE', `${path}/${body.id}`)).status).toBe(404)
  })

  test('admins see and revoke tokens, and only owners create them', async () => {
    const { owner, org } = await newProvider(server.current)
    const path = `orgs/${org.id}/scim/tokens`
    const admin = await join(owner, org, 'admin')
    const member = await join(owner, org, 'member')
    expect((await call(admin, 'POST', path, { name: 'x' })).status).toBe(403)
    expect((await call(member, 'GET', path)).status).toBe(403)
    expect((await call(member, 'POST', path, { name: 'x' })).status).toBe(403)
    const { body } = await call(admin, 'GET', path)
    const one = `${path}/${body.tokens[0].id}`
    expect((await call(member, 'DELETE', one)).status).toBe(403)
    expect((await call(admin, 'DELETE', one)).status).toBe(204)
  })

  test('a token opens SCIM only, and nothing else opens SCIM', async () => {
    const { token, owner } = provider
    for (const path of ['/api/me', '/api/orgs', '/api/auth/api-keys', '/api/auth/sessions']) {
      const { status } = await request(server.current, 'GET', path, { token })
      expect([path, status]).toEqual([path, 401])
    }
    const wrong = [
      ...[
        owner.accessToken,
        owner.key,
        `${token.slice(0, -1)}${token.endsWith('x') ? 'y' : 'x'}`,
        `svc_scim_${'a'.repeat(49)}`,
      ],
      ...['x'.repeat(300), ''],
    ]
    for (const each of wrong) {
      const answer = await provider.send('GET', 'Users', undefined, { token: each })
      expect([each, ...errorOf(answer)]).toEqual([each, 401, undefined])
      expect(answer.headers.get('www-authenticate')).toStartWith('Bearer')
    }
  })

  test('a token expires, and an organization has at most ten', async () => {
    const { owner, org } = await newProvider(server.current)
    const path = `orgs/${org.id}/scim/tokens`
    const past = { name: 'x', expires_at: '2020-01-01T00:00:00Z' }
    expect((await call(owner, 'POST', path, past)).status).toBe(422)
    const soon = new Date(Date.now() + 1_500).toISOString()
    const { body } = await call(owner, 'POST', path, { name: 'x', expires_at: soon })
    const read = () => request(server.current, 'GET', '/api/scim/v2/Users', { token: body.token })
    expect((await read()).status).toBe(200)
    while ((await read()).status === 200) await Bun.sleep(50)
    expect((await read()).status).toBe(401)
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => call(owner, 'POST', path, { name: 'x' })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(8).fill(201), 409, 409])
  })
})

test('the documents about the service are those of RFC 7643', async () => {
  const config = await provider.send('GET', 'ServiceProviderConfig')
  expect(config.body).toMatchObject({
    patch: { supported: true },
    bulk: { supported: false },
    sort: { supported: false },
    filter: { supported: true, maxResults: 200 },
    etag: { supported: true },
    authenticationSchemes: [{ type: 'oauthbearertoken' }],
  })
  const types = await provider.send('GET', 'ResourceTypes')
  expect(types.body.Resources).toMatchObject([
    { id: 'User', endpoint: '/Users', schema: `${CORE}:User` },
    { id: 'Group', endpoint: '/Groups', schema: `${CORE}:Group` },
  ])
  const schemas = await provider.send('GET', 'Schemas')
  const [user] = schemas.body.Resources
  expect(user.id).toBe(`${CORE}:User`)
  const names = user.attributes.map(({ name }: { name: string }) => name)
  expect(names).toEqual([
    'userName',
    'externalId',
    'displayName',
    'title',
    'active',
    'name',
    'emails',
  ])
})

test('each document is at the address that it names', async () => {
  const config = await provider.send('GET', 'ServiceProviderConfig')
  const lists = [
    await provider.send('GET', 'ResourceTypes'),
    await provider.send('GET', 'Schemas'),
  ].flatMap(({ body }) => body.Resources)
  for (const document of [config.body, ...lists]) {
    const path = new URL(document.meta.location).pathname.replace('/api/scim/v2/', '')
    const { status, body } = await provider.send('GET', path)
    expect([path, status, body]).toEqual([path, 200, document])
  }
  for (const path of [
    `Schemas/${CORE.toLowerCase()}:user`,
    `Schemas/${encodeURIComponent(CORE)}%3AGroup`,
  ])
    expect((await provider.send('GET', path)).status).toBe(200)
  for (const path of [
    'Schemas/unknown',
    'ResourceTypes/Users',
    'ResourceTypes/__proto__',
    'Schemas/%00',
  ])
    expect(errorOf(await provider.send('GET', path))).toEqual([404, undefined])
})

test('an address without an endpoint is 404 in the form of SCIM', async () => {
  const paths = ['', 'Me', 'Bulk', 'Unknown', 'Users/a/b', 'users', 'Groups/a/b', 'Schemas/a/b']
  for (const path of paths)
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
      for (const token of [undefined, '']) {
        const body = method === 'GET' ? undefined : {}
        const answer = await provider.send(method, path, body, token === undefined ? {} : { token })
        expect([path, method, ...errorOf(answer)]).toEqual([path, method, 404, undefined])
      }
  for (const [method, path] of [
    ['DELETE', 'Users'],
    ['POST', 'Schemas'],
    ['PUT', 'ServiceProviderConfig'],
  ] as const)
    expect(errorOf(await provider.send(method, path, {}))).toEqual([404, undefined])
  const browser = await provider.send('GET', 'Unknown', undefined, {
    headers: { accept: 'text/html' },
  })
  expect(errorOf(browser)).toEqual([404, undefined])
})

describe('lists', () => {
  let names: string[]
  beforeAll(async () => {
    provider = await newProvider(server.current)
    names = ['ada', 'ben', 'cy']
    for (const [i, name] of names.entries())
      await provider.create({
        ...provider.user(name),
        displayName: `Name ${i}`,
        externalId: `Ext-${name}`,
        active: name !== 'cy',
        name: { givenName: name, familyName: 'Lovelace' },
      })
  })

  test('a filter selects users', async () => {
    const { id } = (await provider.send('GET', 'Users?count=1')).body.Resources[0]
    for (const [filter, expected] of [
      [`userName eq "ADA@${provider.domain}"`, ['ada']],
      [`USERNAME Eq "ada@${provider.domain}"`, ['ada']],
      [`${CORE}:User:userName sw "ben"`, ['ben']],
      [`userName ne "ada@${provider.domain}"`, ['ben', 'cy']],
      [`userName ew "${provider.domain}"`, ['ada', 'ben', 'cy']],
      ['userName co "y@"', ['cy']],
      ['externalId eq "Ext-ben"', ['ben']],
      ['externalId eq "ext-ben"', []],
      ['externalId pr', ['ada', 'ben', 'cy']],
      ['title pr', []],
      ['title eq null', ['ada', 'ben', 'cy']],
      [`id eq "${id}"`, ['ada']],
      ['active eq true', ['ada', 'ben']],
      ['active eq False', ['cy']],
      ['active ne true', ['cy']],
      ['displayName gt "name 0" and displayName le "Name 2"', ['ben', 'cy']],
      ['name.givenName eq "Ada" or name.givenName eq "cy"', ['ada', 'cy']],
      ['not (name.givenName eq "ada") and active eq true', ['ben']],
      [`emails.value eq "ben@${provider.domain}"`, ['ben']],
      ['emails co "ben"', ['ben']],
      ['emails[type eq "work" and value sw "ada"]', ['ada']],
      ['emails[type eq "home" and value sw "ada"]', []],
      ['emails[type eq "work"].value sw "cy"', ['cy']],
      ['emails[primary eq true and not (value co "ada")]', ['ben', 'cy']],
      ['meta.lastModified gt "2020-01-01T00:00:00Z"', ['ada', 'ben', 'cy']],
      ['meta.created lt "2020-01-01T00:00:00Z"', []],
      ['userName eq "\\u0061da"', []],
      [`userName eq "\\u0061da@${provider.domain}"`, ['ada']],
      ['userName co "\\u0000"', undefined],
      ['userName eq "%"', []],
    ] as const)
      if (expected) expect([filter, await found(filter)]).toEqual([filter, [...expected]])
  })

  test('a wrong filter is refused with invalidFilter', async () => {
    for (const filter of [
      ...[
        '',
        'userName',
        'userName eq',
        'userName is "x"',
        'eq "x"',
        'userName eq "x',
        '(userName pr',
      ],
      ...['userName pr)', 'userName eq x', 'userName eq {}', 'password eq "x"', 'manager eq "x"'],
      ...['active gt true', 'active eq "maybe"', 'meta.created gt "soon"', 'userName gt 7'],
      ...['userName[value eq "x"]', 'emails[', 'emails[]', 'emails[value eq "x"', '__proto__ pr'],
      ...[
        'constructor eq "x"',
        'emails.constructor pr',
        'userName eq "x" userName pr',
        'not',
        'and',
      ],
      ...['userName eq "\\u0000"', "userName eq 'x'", `userName eq "${'a'.repeat(2_000)}"`],
      `${'('.repeat(900)}userName pr${')'.repeat(900)}`,
      `${'not '.repeat(400)}(userName pr)`,
    ]) {
      const answer = await provider.send('GET', `Users?filter=${encodeURIComponent(filter)}`)
      expect([filter, ...errorOf(answer)]).toEqual([filter, 400, 'invalidFilter'])
    }
  })

  test('filters of 32,000 characters and 10,000 levels have a clear error, soon', async () => {
    for (const filter of [
      `userName eq "${'a'.repeat(32_000)}"`,
      `userName eq "${'\\'.repeat(32_000)}`,
      `${'('.repeat(10_000)}userName pr${')'.repeat(10_000)}`,
      Array(2_000).fill('userName pr').join(' or '),
      ' '.repeat(32_000),
    ]) {
      const since = performance.now()
      const answer = await provider.send('POST', 'Users/.search', { filter })
      expect(errorOf(answer)).toEqual([400, 'invalidFilter'])
      expect(answer.body.detail).toBe('Invalid filter: it is longer than 2000 characters')
      expect(performance.now() - since).toBeLessThan(1_000)
    }
  })

  test('pages have bounds, whatever startIndex and count are', async () => {
    const page = async (query: string) => {
      const { body } = await provider.send('GET', `Users?${query}`)
      return [body.totalResults, body.startIndex, body.itemsPerPage, body.Resources.length]
    }
    expect(await page('startIndex=2&count=1')).toEqual([3, 2, 1, 1])
    expect(await page('count=-1')).toEqual([3, 1, 0, 0])
    expect(await page('count=0')).toEqual([3, 1, 0, 0])
    expect(await page('count=1000000000')).toEqual([3, 1, 3, 3])
    expect(await page('startIndex=0')).toEqual([3, 1, 3, 3])
    expect(await page('startIndex=-7')).toEqual([3, 1, 3, 3])
    expect(await page('startIndex=1000000000')).toEqual([3, 1_000_000_000, 0, 0])
    expect(await page('startIndex=99999999999999999999')).toEqual([3, 1_000_000_000, 0, 0])
    for (const query of ['count=ten', 'count=1.5', 'startIndex=NaN', 'count=', 'count=Infinity'])
      expect([query, ...errorOf(await provider.send('GET', `Users?${query}`))]).toEqual([
        query,
        ...[400, 'invalidValue'],
      ])
  })

  test('attributes and excludedAttributes select what is returned', async () => {
    const get = async (query: string) =>
      (await provider.send('GET', `Users?count=1&${query}`)).body.Resources[0]
    expect(await get('attributes=userName,name.givenName')).toEqual({
      schemas: [`${CORE}:User`],
      id: UUID,
      userName: `ada@${provider.domain}`,
      name: { givenName: 'ada' },
    })
    const rest = await get('excludedAttributes=meta,name.familyName,EMAILS,id')
    expect(Object.keys(rest).sort()).toEqual(
      ['active', 'displayName', 'externalId', 'id', 'name', 'schemas', 'userName'].sort(),
    )
    expect(rest.name).toEqual({ givenName: 'ada' })
  })

  test('a search request has the filter in its body', async () => {
    const { status, body } = await provider.send('POST', 'Users/.search', {
      schemas: [`${MESSAGES}:SearchRequest`],
      filter: 'active eq true',
      startIndex: 2,
      count: 5,
      attributes: ['userName'],
    })
    expect([status, body.totalResults, body.Resources.length]).toEqual([200, 2, 1])
    expect(Object.keys(body.Resources[0]).sort()).toEqual(['id', 'schemas', 'userName'])
  })
})

describe('versions', () => {
  test('If-None-Match answers 304, and If-Match refuses another version', async () => {
    const { id, meta } = await provider.create(provider.user())
    const read = (etag: string) =>
      provider.send('GET', `Users/${id}`, undefined, { headers: { 'if-none-match': etag } })
    expect((await provider.send('GET', `Users/${id}`)).headers.get('etag')).toBe(meta.version)
    for (const etag of [meta.version, '"1"', '*', `W/"7", ${meta.version}`])
      expect([etag, (await read(etag)).status]).toEqual([etag, 304])
    expect((await read('W/"2"')).status).toBe(200)

    const change = (etag: string, title: string) =>
      provider.send(
        'PATCH',
        `Users/${id}`,
        { Operations: [{ op: 'replace', path: 'title', value: title }] },
        { headers: { 'if-match': etag } },
      )
    expect((await change(meta.version, 'Countess')).body.meta.version).toBe('W/"2"')
    expect(errorOf(await change(meta.version, 'Other'))).toEqual([412, undefined])
    // Nothing changes, and so the version stays.
    expect((await change('W/"2"', 'Countess')).body.meta.version).toBe('W/"2"')
    const headers = { 'if-match': 'W/"1"' }
    for (const method of ['PUT', 'DELETE']) {
      const body = method === 'PUT' ? provider.user() : undefined
      const answer = await provider.send(method, `Users/${id}`, body, { headers })
      expect(errorOf(answer)).toEqual([412, undefined])
    }
  })

  test('one of the parallel changes of a version succeeds', async () => {
    const { id, meta } = await provider.create(provider.user())
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        provider.send(
          'PATCH',
          `Users/${id}`,
          { Operations: [{ op: 'replace', path: 'title', value: `Title ${i}` }] },
          { headers: { 'if-match': meta.version } },
        ),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(412)])
  })

  test('parallel additions of members lose none', async () => {
    const users = await Promise.all(
      Array.from({ length: 6 }, () => provider.create(provider.user())),
    )
    const { body } = await provider.send('POST', 'Groups', { displayName: crypto.randomUUID() })
    await Promise.all(
      users.map(({ id }) =>
        provider.send('PATCH', `Groups/${body.id}`, {
          Operations: [{ op: 'add', path: 'members', value: [{ value: id }] }],
        }),
      ),
    )
    const group = await provider.send('GET', `Groups/${body.id}`)
    expect([group.body.members.length, group.body.meta.version]).toEqual([6, 'W/"7"'])
    await provider.send('DELETE', `Users/${users[0]?.id}`)
    const after = await provider.send('GET', `Groups/${body.id}`)
    expect([after.body.members.length, after.body.meta.version]).toEqual([5, 'W/"8"'])
  })
})

describe('refused input', () => {
  test('a PATCH that compares too many values is refused', async () => {
    // Users that are not active take no seats.
    const { org, send } = await newProvider(server.current)
    await runSql(
      server.current.database,
      `insert into scim_users (id, org_id, user_name, email, is_active, attributes)
       select gen_random_uuid(), '${org.id}', 'user' || n, 'user' || n || '@example.com', false, '{}'
       from generate_series(1, 5000) n`,
      `insert into scim_groups (id, org_id, display_name) values (gen_random_uuid(), '${org.id}', 'All')`,
      `insert into scim_group_members select g.id, u.id from scim_groups g
       join scim_users u on u.org_id = g.org_id where g.org_id = '${org.id}'`,
    )
    const listed = await send('GET', 'Groups?excludedAttributes=members')
    const { id } = listed.body.Resources[0]
    const terms = Array(90).fill('value eq "x"').join(' or ')
    const Operations = Array(500).fill({ op: 'remove', path: `members[${terms}]` })
    const refused = await send('PATCH', `Groups/${id}`, { Operations })
    expect(errorOf(refused)).toEqual([400, 'tooMany'])
    const filter = Array(70).fill('emails[value co "zzzz"]').join(' or ')
    const searched = await send('POST', 'Users/.search', { filter })
    expect([searched.status, searched.body.totalResults]).toEqual([200, 0])
  })

  test('PATCH operations that are wrong, or aim at prototypes, change nothing', async () => {
    const { id } = await provider.create(provider.user())
    const before = await provider.send('GET', `Users/${id}`)
    const patch = async (...operations: object[]) =>
      errorOf(await provider.patch(id, ...operations))
    for (const path of [
      ...[
        '__proto__',
        '__proto__.polluted',
        'constructor.prototype.polluted',
        'toString',
        'name.toString',
      ],
      ...['name.__proto__', 'name.a.b', 'emails[type eq "work"].__proto__', 'emails.constructor'],
      ...[
        'userName.value',
        'userName[value eq "x"]',
        'name[givenName eq "x"]',
        'emails[',
        ' ',
        '[]',
      ],
      ...['x'.repeat(2_001), `emails[${'('.repeat(100)}value pr${')'.repeat(100)}]`, 'nothing'],
    ])
      for (const op of ['add', 'replace', 'remove'])
        expect([path, op, await patch({ op, path, value: 'x' })]).toEqual([
          ...[path, op],
          [400, 'invalidPath'],
        ])
    expect(await patch({ op: 'replace', path: 'id', value: NO_ID })).toEqual([400, 'mutability'])
    expect(await patch({ op: 'remove' })).toEqual([400, 'noTarget'])
    expect(await patch({ op: 'move', path: 'title' })).toEqual([400, 'invalidSyntax'])
    expect(await patch()).toEqual([400, 'invalidSyntax'])
    expect(await patch(...Array(1_001).fill({ op: 'remove', path: 'title' }))).toEqual([
      ...[400, 'invalidSyntax'],
    ])
    for (const value of ['x', 7, null, [1]])
      expect(await patch({ op: 'add', value })).toEqual([400, 'invalidValue'])
    for (const [path, value] of [
      ...[
        ['active', 'maybe'],
        ['title', 7],
        ['title', 'x'.repeat(256)],
        ['name', 'Ada'],
      ],
      ...[
        ['emails', ['x']],
        ['userName', ''],
        ['userName', null],
        ['emails', [{ value: 'no address' }]],
      ],
    ] as const)
      expect([path, await patch({ op: 'replace', path, value })]).toEqual([
        path,
        [400, 'invalidValue'],
      ])
    const dangerous =
      '{"Operations":[{"op":"add","value":{"__proto__":{"polluted":1},"name":{"__proto__":{"polluted":1}}}}]}'
    expect((await provider.send('PATCH', `Users/${id}`, dangerous)).status).toBe(200)
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
    expect((await provider.send('GET', `Users/${id}`)).body).toEqual(before.body)
  })

  test('bodies that are wrong', async () => {
    for (const [body, scimType] of [
      ...[
        ['{', 'invalidSyntax'],
        ['[]', 'invalidSyntax'],
        ['"x"', 'invalidSyntax'],
      ],
      ...[
        [{}, 'invalidValue'],
        [{ userName: 7 }, 'invalidValue'],
        [{ userName: 'ada' }, 'invalidValue'],
      ],
      ...[[{ userName: 'a\0b@example.com' }, 'invalidSyntax']],
      ...[[{ userName: `${'x'.repeat(300)}@example.com` }, 'invalidValue']],
      ...[[{ ...provider.user(), externalId: 'x'.repeat(300) }, 'invalidValue']],
      ...[
        [
          { ...provider.user(), emails: Array(21).fill({ value: 'a@example.com' }) },
          'invalidValue',
        ],
      ],
      ...[[{ userName: 'x@mailinator.com' }, 'invalidValue']],
    ] as const)
      expect([body, ...errorOf(await provider.send('POST', 'Users', body))]).toEqual([
        ...[body, 400, scimType],
      ])
    const type = await provider.send('POST', 'Users', provider.user(), {
      headers: { 'content-type': 'text/plain' },
    })
    expect(errorOf(type)).toEqual([400, 'invalidSyntax'])
    const large = await provider.send('POST', 'Users', { userName: 'x'.repeat(1_100_000) })
    expect(errorOf(large)).toEqual([413, undefined])
    const json = await provider.send('POST', 'Users', provider.user(), {
      headers: { 'content-type': 'application/json' },
    })
    expect(json.status).toBe(201)
  })

  test('ids of any length and form are 404', async () => {
    for (const id of [NO_ID, 'x'.repeat(300), '..%2f..', '%00', "1'--", '__proto__'])
      for (const type of ['Users', 'Groups'])
        for (const [method, body] of [
          ['GET', undefined],
          ['PUT', { userName: 'x@example.com', displayName: 'x' }],
          ['PATCH', { Operations: [{ op: 'remove', path: 'externalId' }] }],
          ['DELETE', undefined],
        ] as const)
          expect([
            id,
            method,
            ...errorOf(await provider.send(method, `${type}/${id}`, body)),
          ]).toEqual([id, method, 404, undefined])
  })

  test('a userName, an address and a displayName are unique in the organization', async () => {
    const user = provider.user()
    const { id } = await provider.create(user)
    const others = [
      { ...user, userName: user.userName.toUpperCase() },
      { ...user, userName: 'another' },
    ]
    for (const other of others)
      expect(errorOf(await provider.send('POST', 'Users', other))).toEqual([409, 'uniqueness'])
    const third = await provider.create(provider.user())
    const taken = await provider.send('PUT', `Users/${third.id}`, user)
    expect(errorOf(taken)).toEqual([409, 'uniqueness'])
    expect((await provider.send('PUT', `Users/${id}`, user)).status).toBe(200)
    const displayName = crypto.randomUUID()
    expect((await provider.send('POST', 'Groups', { displayName })).status).toBe(201)
    const group = await provider.send('POST', 'Groups', { displayName: displayName.toUpperCase() })
    expect(errorOf(group)).toEqual([409, 'uniqueness'])
  })
})

test('PUT without active keeps it, and clears the other attributes', async () => {
  const { id } = await provider.create({
    ...provider.user('put'),
    title: 'Countess',
    active: false,
  })
  const { active: _active, ...user } = provider.user('put')
  const { body } = await provider.send('PUT', `Users/${id}`, user)
  expect([body.active, body.title]).toEqual([false, undefined])
})

test('a page of groups ends before their members are too many, and the next one continues', async () => {
  const provider = await newProvider(server.current)
  const { org } = provider
  await runSql(
    server.current.database,
    `insert into scim_users (id, org_id, user_name, email, is_active, attributes)
     select gen_random_uuid(), '${org.id}', 'u' || n, 'u' || n || '@${provider.domain}', false, '{}'
     from generate_series(1, 6000) n`,
  )
  for (const displayName of ['Herons', 'Owls', 'Swans'])
    expect((await provider.send('POST', 'Groups', { displayName })).status).toBe(201)
  await runSql(
    server.current.database,
    `insert into scim_group_members (group_id, scim_user_id)
     select g.id, u.id from scim_groups g join scim_users u on u.org_id = g.org_id
     where g.org_id = '${org.id}' and g.display_name <> 'Swans'`,
  )
  const page = async (query: string) => {
    const { body } = await provider.send('GET', `Groups?${query}`)
    return [
      body.totalResults,
      body.Resources.map((group: { displayName: string }) => group.displayName),
    ]
  }
  expect(await page('')).toEqual([3, ['Herons']])
  expect(await page('startIndex=2')).toEqual([3, ['Owls', 'Swans']])
  expect(await page('excludedAttributes=members')).toEqual([3, ['Herons', 'Owls', 'Swans']])
})
