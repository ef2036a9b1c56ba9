import { expect, test } from 'bun:test'
import { UUID } from '../harness/http.ts'
import { useSharedServer } from '../harness/server.ts'
import { CORE, MESSAGES, newProvider } from './scim-support.ts'

/** The requests that Okta documents for a SCIM 2.0 application, in their order. */
const server = useSharedServer()

test('Okta looks for a user, creates, reads, updates, deactivates and reactivates it', async () => {
  const okta = await newProvider(server.current)
  const email = `test.user@${okta.domain}`
  const search = `Users?filter=userName%20eq%20%22${encodeURIComponent(email)}%22&startIndex=1&count=100`
  const none = await okta.send('GET', search)
  expect([none.status, none.body]).toEqual([
    200,
    {
      schemas: [`${MESSAGES}:ListResponse`],
      totalResults: 0,
      startIndex: 1,
      itemsPerPage: 0,
      Resources: [],
    },
  ])

  const profile = {
    schemas: [`${CORE}:User`],
    userName: email,
    name: { givenName: 'Test', familyName: 'User' },
    emails: [{ primary: true, value: email, type: 'work' }],
    displayName: 'Test User',
    locale: 'en-US',
    externalId: '00ujl29u0le5T6Aj10h7',
    groups: [],
    password: '1mz050nq',
    active: true,
  }
  const created = await okta.send('POST', 'Users', profile)
  const { locale: _locale, groups: _groups, password: _password, ...kept } = profile
  expect([created.status, created.body]).toEqual([
    201,
    { ...kept, id: UUID, meta: expect.objectContaining({ resourceType: 'User' }) },
  ])
  const { id } = created.body
  expect(created.headers.get('location')).toBe(created.body.meta.location)
  expect((await okta.send('GET', `Users/${id}`)).body).toEqual(created.body)
  expect((await okta.send('GET', search)).body.Resources).toEqual([created.body])
  expect((await okta.send('GET', 'Users?startIndex=1&count=2')).body.totalResults).toBe(1)
  expect((await okta.members()).map((each) => each.email)).toContain(email)

  const updated = await okta.send('PUT', `Users/${id}`, {
    ...profile,
    id,
    name: { givenName: 'Another', middleName: '', familyName: 'User' },
    meta: { resourceType: 'User' },
  })
  expect([updated.status, updated.body.name, updated.body.meta.version]).toEqual([
    200,
    { givenName: 'Another', familyName: 'User' },
    'W/"2"',
  ])

  const setActive = (active: boolean) => okta.patch(id, { op: 'replace', value: { active } })
  const ended = await setActive(false)
  expect([ended.status, ended.body.active]).toEqual([200, false])
  expect((await okta.members()).map((each) => each.email)).toEqual([okta.owner.email])
  const back = await setActive(true)
  expect([back.status, back.body.active]).toEqual([200, true])
  expect((await okta.members()).map((each) => each.email)).toContain(email)
})

test('Okta pushes a group, renames it, changes its members and deletes it', async () => {
  const okta = await newProvider(server.current)
  const [first, second] = [await okta.create(okta.user()), await okta.create(okta.user())]
  const listed = await okta.send('GET', 'Groups?startIndex=1&count=100')
  expect(listed.body).toMatchObject({ totalResults: 0, Resources: [] })
  const created = await okta.send('POST', 'Groups', {
    schemas: [`${CORE}:Group`],
    displayName: 'Test SCIMv2',
    members: [],
  })
  expect([created.status, created.body]).toMatchObject([201, { displayName: 'Test SCIMv2' }])
  const { id } = created.body
  const patch = (...Operations: object[]) =>
    okta.send('PATCH', `Groups/${id}`, { schemas: [`${MESSAGES}:PatchOp`], Operations })

  const renamed = await patch({ op: 'replace', value: { id, displayName: 'Test SCIMv2 new' } })
  expect([renamed.status, renamed.body.displayName]).toEqual([200, 'Test SCIMv2 new'])

  const membersOf = async () => {
    const { body } = await okta.send('GET', `Groups/${id}`)
    return (body.members ?? []).map(({ value }: { value: string }) => value)
  }
  await patch({
    op: 'add',
    path: 'members',
    value: [{ value: first.id, display: first.userName }],
  })
  expect(await membersOf()).toEqual([first.id])
  const swapped = await patch(
    { op: 'remove', path: `members[value eq "${first.id}"]` },
    { op: 'add', path: 'members', value: [{ value: second.id, display: second.userName }] },
  )
  expect(swapped.status).toBe(200)
  expect(await membersOf()).toEqual([second.id])

  const put = await okta.send('PUT', `Groups/${id}`, {
    schemas: [`${CORE}:Group`],
    id,
    displayName: 'Test SCIMv2',
    members: [{ value: first.id, display: first.userName }],
  })
  expect([put.status, put.body.members]).toEqual([
    200,
    [{ value: first.id, display: first.userName }],
  ])
  expect((await okta.send('DELETE', `Groups/${id}`)).status).toBe(204)
  expect((await okta.send('GET', `Groups/${id}`)).status).toBe(404)
})
