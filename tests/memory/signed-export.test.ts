import { expect, test } from 'bun:test'
import { remember } from '../../shared/contract/index.ts'
import type { Trust } from '../../shared/contract/memories.ts'
import type { ExportedMemory, TrustLoss } from '../../shared/contract/transfer.ts'
import { createOrgClient } from '../account/organization-support.ts'
import { signedInMachine } from '../cli/svc.ts'
import { newVerifiedUser } from '../harness/http.ts'
import {
  newUser,
  request,
  startServer,
  type TestServer,
  type TestUser,
  useSharedServer,
} from '../harness/server.ts'
import { exportOf, importFile, linesOf } from './transfer-support.ts'

const server = useSharedServer()
const organizations = createOrgClient(server)

const HOME = 'I live in Lisbon.'
const TEA = 'I drink tea.'

/** A person with two memories of their own word, and an assistant's. */
const fill = async (user: TestUser) => {
  for (const body of [
    {
      content: HOME,
      metadata: { toString: { b: 1 }, a: { d: 'ü', c: [1.5, null] } },
      tags: ['home'],
    },
    { content: TEA, thread: 'drinks' },
    { content: 'You like rain.', author: 'assistant' },
  ])
    await user.client.call(remember, { body })
  return user
}

/** Deletes all memories for good, as in a new account. */
const empty = async (user: TestUser, at = server.current) => {
  for (const { memory_id } of await exportOf(at, user))
    await request(at, 'DELETE', `/api/memories/${memory_id}?permanent=true`, { token: user.key })
}

const trustsOf = async (user: TestUser, at = server.current) =>
  new Map(
    (await exportOf(at, user)).map(({ content_text, source }) => [content_text, source.trust]),
  )

type Lines = ExportedMemory[]
const edit = (lines: Lines, change: (line: ExportedMemory) => object): object[] =>
  lines.map((line, i) => (i === 0 ? { ...line, ...change(line) } : line))
const signed = (change: object) => (line: ExportedMemory) => ({
  signature: { ...line.signature, ...change },
})

/** Changes of the own file, the trust of its first line then, and why. */
const EDITS: [
  name: string,
  change: (lines: Lines, other: Lines) => object[],
  trust: Trust,
  reason: TrustLoss | undefined,
][] = [
  ['nothing', (lines) => lines, 'user', undefined],
  ['the order of lines', (lines) => lines.toReversed(), 'user', undefined],
  [
    'the order of fields',
    (lines) => edit(lines, (line) => Object.fromEntries(Object.entries(line).toReversed())),
    'user',
    undefined,
  ],
  [
    'the content',
    (lines) => edit(lines, () => ({ content_text: HOME, tags: ['x'] })),
    'imported',
    'changed',
  ],
  ['the author', (lines) => edit(lines, () => ({ author: 'Ada' })), 'imported', 'changed'],
  ['the metadata', (lines) => edit(lines, () => ({ metadata: {} })), 'imported', 'changed'],
  ['a field more', (lines) => edit(lines, () => ({ extra: true })), 'imported', 'changed'],
  [
    'the signature of another line',
    (lines) => edit(lines, () => ({ signature: lines[1]?.signature })),
    'imported',
    'changed',
  ],
  [
    'the owner',
    (lines) => edit(lines, signed({ owner: crypto.randomUUID() })),
    'imported',
    'changed',
  ],
  ['the address', (lines) => edit(lines, signed({ email: null })), 'imported', 'changed'],
  ['an empty signature', (lines) => edit(lines, signed({ value: '' })), 'imported', 'changed'],
  [
    'an unknown key',
    (lines) => edit(lines, signed({ key: 'A'.repeat(43) })),
    'imported',
    'unknown_server',
  ],
  [
    'no signature',
    (lines) => edit(lines, () => ({ signature: undefined })),
    'imported',
    'unsigned',
  ],
  [
    'a signature of another form',
    (lines) => edit(lines, () => ({ signature: 'yes' })),
    'imported',
    'unsigned',
  ],
  [
    'a line of the export of another person',
    (lines, other) => edit(lines, () => ({ ...other[0] })),
    'imported',
    'other_account',
  ],
  [
    'such a line with the own signature',
    (lines, other) => edit(lines, ({ signature }) => ({ ...other[0], signature })),
    'imported',
    'changed',
  ],
]

test.each(EDITS)('an export into the same account: %s', async (_, change, trust, reason) => {
  const user = await fill(await newVerifiedUser(server.current))
  const other = await newVerifiedUser(server.current)
  await other.client.call(remember, { body: { content: HOME } })
  const file = change(await exportOf(server.current, user), await exportOf(server.current, other))
  await empty(user)
  const { body } = await importFile(server.current, user, linesOf(file))
  expect(body).toMatchObject({ imported: 3, failed_count: 0 })
  expect(body.trust_lowered).toEqual(reason && [{ reason, count: 1 }])
  const trusts = await trustsOf(user)
  expect([trusts.get(HOME), trusts.get(TEA)]).toEqual([trust, 'user'])
  expect(trusts.get('You like rain.')).toBe('assistant')
})

test('an assistant’s line that is edited to be the user’s is imported text', async () => {
  const user = await fill(await newVerifiedUser(server.current))
  const lines = await exportOf(server.current, user)
  const file = lines.map((line) => ({ ...line, source: { ...line.source, trust: 'user' } }))
  await empty(user)
  const { body } = await importFile(server.current, user, linesOf(file))
  expect(body.trust_lowered).toEqual([{ reason: 'changed', count: 1 }])
  expect((await trustsOf(user)).get('You like rain.')).toBe('imported')
})

test('a file that was cut keeps the trust of its whole lines', async () => {
  const user = await fill(await newVerifiedUser(server.current))
  const file = linesOf(await exportOf(server.current, user))
  await empty(user)
  const { body } = await importFile(server.current, user, file.slice(0, -20))
  expect(body).toMatchObject({ imported: 2, failed_count: 1 })
  expect(body.trust_lowered).toBeUndefined()
  expect([...(await trustsOf(user)).values()]).toEqual(['user', 'user'])
})

test('an account without a verified address keeps the trust of its own export, and no other does', async () => {
  const [user, other] = [await fill(await newUser(server.current)), await newUser(server.current)]
  const lines = await exportOf(server.current, user)
  expect(lines.map(({ signature }) => signature?.email)).toEqual([null, null, null])
  await empty(user)
  for (const [importer, trust] of [
    [user, 'user'],
    [other, 'imported'],
  ] as const) {
    await importFile(server.current, importer, linesOf(lines))
    expect((await trustsOf(importer)).get(HOME)).toBe(trust)
  }
})

test('an export of an organization is not the word of a member, nor the reverse', async () => {
  const person = await fill(await newVerifiedUser(server.current))
  const org = await organizations.createOrg(person, 'Acme')
  const headers = { authorization: `Bearer ${person.key}`, 'x-org-id': org.id }
  const url = (path: string) => new URL(`/api/${path}`, server.current.url)
  const post = async (path: string, body: string, type: string) => {
    const init = { method: 'POST', headers: { ...headers, 'content-type': type }, body }
    return (await fetch(url(path), init)).json()
  }
  await post('remember', JSON.stringify({ content: 'We live in Porto.' }), 'application/json')
  const file = await (await fetch(url('memories/export'), { headers })).text()
  const into = await importFile(server.current, person, file)
  expect(into.body.trust_lowered).toEqual([{ reason: 'other_account', count: 1 }])
  const mine = linesOf(await exportOf(server.current, person))
  expect(await post('memories/import', mine, 'application/x-ndjson')).toMatchObject({
    trust_lowered: [{ reason: 'other_account', count: expect.any(Number) }],
  })
})

const withServer = async (env: Record<string, string>, use: (other: TestServer) => unknown) => {
  await using other = await startServer(env)
  await use(other)
}

test('another server keeps the trust of a verified address where its operator trusts the key', async () => {
  const user = await fill(await newVerifiedUser(server.current))
  const lines = await exportOf(server.current, user)
  const key = lines[0]?.signature?.key ?? ''
  const outcomes: [Record<string, string>, string | undefined, Trust, TrustLoss?][] = [
    [{}, user.email, 'imported', 'unknown_server'],
    [{ SVC_TRUSTED_EXPORT_KEYS: key }, undefined, 'imported', 'other_account'],
    [{ SVC_TRUSTED_EXPORT_KEYS: key }, user.email, 'user'],
  ]
  for (const [env, email, trust, reason] of outcomes)
    await withServer(env, async (other) => {
      const there = await newVerifiedUser(other, email)
      const { body } = await importFile(other, there, linesOf(lines))
      expect(body.trust_lowered).toEqual(reason && [{ reason, count: 3 }])
      expect((await trustsOf(there, other)).get(HOME)).toBe(trust)
    })
})

test('the terminal says why memories are trusted less', async () => {
  const from = await fill(await newVerifiedUser(server.current))
  const { machine } = await signedInMachine(server.current)
  const file = linesOf(await exportOf(server.current, from))
  const { stdout, stderr } = await machine.svc(['import', '-'], { stdin: file })
  expect(stdout).toContain('3 imported')
  expect(stderr).toContain('3 are trusted less than in the file: they come from another account')
})
