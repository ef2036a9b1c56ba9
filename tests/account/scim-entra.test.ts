import { expect, test } from 'bun:test'
import { useSharedServer } from '../harness/server.ts'
import { CORE, errorOf, MESSAGES, newProvider, type Provider } from './scim-support.ts'

/** The requests that Entra ID documents for its provisioning service. */
const server = useSharedServer()

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

const entraUser = (entra: Provider, name: string) => ({
  schemas: [`${CORE}:User`, ENTERPRISE],
  externalId: crypto.randomUUID(),
  userName: `${name}@${entra.domain}`,
  active: true,
  emails: [{ primary: true, type: 'work', value: `${name}@${entra.domain}` }],
  meta: { resourceType: 'User' },
  name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
  roles: [],
  [ENTERPRISE]: { department: 'Sales' },
})

test('the connection test of Entra ID gets an empty list', async () => {
  const entra = await newProvider(server.current)
  const { status, headers, body } = await entra.send(
    'GET',
    `Users?filter=userName+eq+%22${crypto.randomUUID()}%22`,
  )
  expect([status, headers.get('content-type')]).toEqual([200, 'application/scim+json'])
  expect(body).toMatchObject({ totalResults: 0, Resources: [] })
})

test('Entra ID creates a user, changes attributes and the userName, disables and deletes it', async () => {
  const entra = await newProvider(server.current)
  const created = await entra.send('POST', 'Users', entraUser(entra, 'Test_User_1'))
  expect(created.status).toBe(201)
  const { id } = created.body
  const found = await entra.send('GET', `Users?filter=userName eq "TEST_user_1@${entra.domain}"`)
  expect(found.body).toMatchObject({ totalResults: 1, Resources: [{ id }] })
  expect((await entra.send('GET', 'Users?filter=userName eq "non-existent user"')).body).toEqual({
    schemas: [`${MESSAGES}:ListResponse`],
    totalResults: 0,
    startIndex: 1,
    itemsPerPage: 0,
    Resources: [],
  })

  const changed = await entra.patch(
    id,
    { op: 'Replace', path: 'emails[type eq "work"].value', value: `updated@${entra.domain}` },
    { op: 'Replace', path: 'name.familyName', value: 'updatedFamilyName' },
    { op: 'Add', path: `${ENTERPRISE}:department`, value: 'Research' },
    { op: 'Add', path: 'phoneNumbers[type eq "work"].value', value: '+1 555 0100' },
  )
  expect([changed.status, changed.body.emails, changed.body.name.familyName]).toEqual([
    200,
    [{ primary: true, type: 'work', value: `updated@${entra.domain}` }],
    'updatedFamilyName',
  ])
  const named = `5b50642d@${entra.domain}`
  const renamed = await entra.patch(id, { op: 'Replace', path: 'userName', value: named })
  expect([renamed.status, renamed.body.userName]).toEqual([200, named])

  const disabled = await entra.patch(id, { op: 'Replace', path: 'active', value: 'False' })
  expect([disabled.status, disabled.body.active]).toEqual([200, false])
  expect((await entra.members()).map(({ email }) => email)).toEqual([entra.owner.email])
  const enabled = await entra.patch(id, { op: 'Add', path: 'active', value: 'True' })
  expect([enabled.status, enabled.body.active]).toEqual([200, true])
  expect(await entra.members()).toHaveLength(2)

  expect((await entra.send('DELETE', `Users/${id}`)).status).toBe(204)
  expect(errorOf(await entra.send('GET', `Users/${id}`))).toEqual([404, undefined])
  expect(await entra.members()).toHaveLength(1)
})

test('Entra ID adds values without a match, and names paths within a value', async () => {
  const entra = await newProvider(server.current)
  const { id } = await entra.create({ ...entraUser(entra, 'flat'), emails: undefined })
  const { body } = await entra.patch(id, {
    op: 'add',
    value: {
      'name.givenName': 'Flat',
      'emails[type eq "other"].value': `other@${entra.domain}`,
      [`${ENTERPRISE}:employeeNumber`]: '7',
      displayName: 'Flat Name',
    },
  })
  expect(body).toMatchObject({
    displayName: 'Flat Name',
    name: { givenName: 'Flat' },
    emails: [{ type: 'other', value: `other@${entra.domain}` }],
  })
  const missing = { op: 'Replace', path: 'emails[type eq "home"].value', value: 'x@example.com' }
  expect(errorOf(await entra.patch(id, missing))).toEqual([400, 'noTarget'])
})

test('Entra ID provisions a group without reading its members', async () => {
  const entra = await newProvider(server.current)
  const member = await entra.create(entraUser(entra, 'member'))
  const created = await entra.send('POST', 'Groups', {
    schemas: [
      `${CORE}:Group`,
      'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group',
    ],
    externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
    displayName: 'displayName',
    meta: { resourceType: 'Group' },
  })
  expect(created.status).toBe(201)
  const { id } = created.body
  const patch = (...Operations: object[]) =>
    entra.send('PATCH', `Groups/${id}`, { schemas: [`${MESSAGES}:PatchOp`], Operations })
  const reference = [{ $ref: null, value: member.id }]

  await patch({ op: 'Add', path: 'members', value: reference })
  const whole = await entra.send('GET', `Groups/${id}`)
  expect(whole.body.members).toEqual([{ value: member.id, display: member.userName }])
  const without = await entra.send('GET', `Groups/${id}?excludedAttributes=members`)
  const { members: _members, ...others } = whole.body
  expect(without.body).toEqual(others)
  const listed = await entra.send(
    'GET',
    'Groups?excludedAttributes=members&filter=displayName eq "displayName"',
  )
  expect(listed.body).toMatchObject({ totalResults: 1, Resources: [others] })
  expect(listed.body.Resources[0]).not.toHaveProperty('members')
  const isMember = await entra.send(
    'GET',
    `Groups?filter=id eq "${id}" and members eq "${member.id}"&attributes=id`,
  )
  expect(isMember.body.Resources).toEqual([{ schemas: [`${CORE}:Group`], id }])

  const renamed = await patch({ op: 'Replace', path: 'displayName', value: 'updatedDisplayName' })
  expect(renamed.body.displayName).toBe('updatedDisplayName')
  const removed = await patch({ op: 'Remove', path: 'members', value: reference })
  expect([removed.status, removed.body.members]).toEqual([200, undefined])
  expect((await entra.send('DELETE', `Groups/${id}`)).status).toBe(204)
})

const BOOLEANS: [name: string, value: unknown, active: boolean | 400][] = [
  ['a boolean', false, false],
  ['a text', 'False', false],
  ['a text in lower case', 'true', true],
  ['a list with a text', [{ $ref: null, value: 'False' }], false],
  ['a list with a boolean', [{ value: false }], false],
  ['a list with a text and true', [{ $ref: null, value: 'True' }], true],
  ['an object', { value: 'False' }, false],
  ['two values', [{ value: 'False' }, { value: 'True' }], 400],
  ['another word', [{ $ref: null, value: 'no' }], 400],
  ['a nested list', [{ value: [{ value: 'False' }] }], 400],
]

test('a single value comes in every form that Entra ID sends', async () => {
  const entra = await newProvider(server.current)
  const { id } = await entra.create(entra.user())
  for (const [name, value, active] of BOOLEANS) {
    for (const operation of [
      { op: 'Replace', path: 'active', value },
      { op: 'Replace', value: { active: value } },
      { op: 'Add', path: 'active', value },
    ]) {
      await entra.patch(id, { op: 'replace', path: 'active', value: active !== true })
      const { status, body } = await entra.patch(id, operation)
      expect([name, status === 200 ? body.active : status]).toEqual([name, active])
    }
  }
  const named = await entra.patch(
    id,
    { op: 'Replace', path: 'displayName', value: [{ $ref: null, value: 'Ada L.' }] },
    { op: 'Replace', path: 'name.givenName', value: [{ $ref: null, value: 'Ada' }] },
    {
      op: 'Replace',
      path: 'emails[type eq "work"].value',
      value: [{ $ref: null, value: `ada@${entra.domain}` }],
    },
  )
  expect(named.body).toMatchObject({ displayName: 'Ada L.', name: { givenName: 'Ada' } })
  expect(named.body.emails).toMatchObject([{ value: `ada@${entra.domain}` }])
})
