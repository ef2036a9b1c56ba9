import { expect, setDefaultTimeout, test } from 'bun:test'
import { createDatabase } from '../harness/database.ts'
import { BASE_URL } from '../harness/http.ts'
import { startMailbox, tokenIn } from '../harness/mail.ts'
import { newUser, type RequestOptions, request, startServer } from '../harness/server.ts'

setDefaultTimeout(60_000)

/** Two servers on one database. */
const startReplicas = async (env: Record<string, string>) => {
  const database = await createDatabase()
  const boot = () => startServer({ SVC_BASE_URL: BASE_URL, ...env }, database)
  const here = await boot()
  const there = await boot()
  return {
    here,
    there,
    async [Symbol.asyncDispose]() {
      await here.stop()
      await there.stop()
      await database.drop()
    },
  }
}

test('a team invites a member, shares a memory, gives an agent a key, and removes the member', async () => {
  await using mailbox = await startMailbox()
  await using pair = await startReplicas({ SVC_SMTP_URL: mailbox.url })
  const { here, there } = pair
  const send = (on: typeof here, method: string, path: string, options: RequestOptions) =>
    request(on, method, `/api/${path}`, options)

  // Ada signs up, verifies her address and creates the organization.
  const ada = await newUser(here)
  await send(here, 'POST', 'auth/verify-email', {
    body: { token: tokenIn(await mailbox.next(ada.email, 'Confirm')) },
  })
  const { body: org } = await send(here, 'POST', 'orgs', {
    token: ada.accessToken,
    body: { name: 'Expedition' },
  })
  const orgs = `orgs/${org.id}`
  const inOrg = { 'x-org-id': org.id }

  // Ben receives the email, signs up with that address on the other server and joins.
  const ben = await newUser(there)
  await send(there, 'POST', 'auth/verify-email', {
    body: { token: tokenIn(await mailbox.next(ben.email, 'Confirm')) },
  })
  const invited = await send(here, 'POST', `${orgs}/invites`, {
    token: ada.accessToken,
    body: { email: ben.email },
  })
  expect(invited.status).toBe(201)
  const mail = await mailbox.next(ben.email, 'Expedition')
  const token = new URL(/http\S+/.exec(mail.text)?.[0] ?? '').searchParams.get('token')
  const joined = await send(there, 'POST', 'invites/accept', {
    token: ben.accessToken,
    body: { token },
  })
  expect([joined.status, joined.body.role]).toEqual([200, 'member'])

  // A memory of one member in the organization is recalled by the other there, and nowhere else.
  await send(here, 'POST', 'remember', {
    token: ada.accessToken,
    headers: inOrg,
    body: { content: 'The base camp is on the Khumbu glacier' },
  })
  await send(there, 'POST', 'remember', {
    token: ben.accessToken,
    body: { content: 'My own camp site is in Sintra' },
  })
  const recallCamp = async (on: typeof here, options: RequestOptions) => {
    const { status, body } = await send(on, 'POST', 'recall', {
      ...options,
      body: { query: 'Where is the camp?' },
    })
    return status === 200
      ? body.memories.map((memory: { content_text: string }) => memory.content_text)
      : [status, body.detail]
  }
  const shared = ['The base camp is on the Khumbu glacier']
  const own = ['My own camp site is in Sintra']
  expect(await recallCamp(there, { token: ben.accessToken, headers: inOrg })).toEqual(shared)
  expect(await recallCamp(there, { token: ben.accessToken })).toEqual(own)
  expect(await recallCamp(here, { token: ada.accessToken })).toEqual([])

  // The organization stays active for him.
  await send(there, 'POST', `${orgs}/activate`, { token: ben.accessToken })
  expect(await recallCamp(here, { token: ben.accessToken })).toEqual(shared)

  // His agent has a key of the organization and always acts in it.
  const { body: key } = await send(there, 'POST', 'auth/api-keys', {
    token: ben.accessToken,
    body: { name: 'agent', org_id: org.id },
  })
  expect(await recallCamp(here, { token: key.key })).toEqual(shared)

  // He is removed: the next request to either server refuses him and his agent.
  const removed = await send(here, 'DELETE', `${orgs}/members/${ben.id}`, {
    token: ada.accessToken,
  })
  expect(removed.status).toBe(204)
  for (const on of [there, here]) {
    expect(await recallCamp(on, { token: key.key })).toEqual([401, 'Invalid API key'])
    expect(await recallCamp(on, { token: ben.accessToken, headers: inOrg })).toEqual([
      403,
      'Not a member of this organization',
    ])
    expect(await recallCamp(on, { token: ben.accessToken })).toEqual(own)
    expect((await send(on, 'GET', orgs, { token: ben.accessToken })).status).toBe(403)
  }

  // The memories of the organization stay until it is deleted.
  expect(await recallCamp(there, { token: ada.accessToken, headers: inOrg })).toEqual(shared)
  await send(here, 'DELETE', orgs, { token: ada.accessToken })
  expect(await recallCamp(there, { token: ada.accessToken, headers: inOrg })).toEqual([
    403,
    'Not a member of this organization',
  ])
})
