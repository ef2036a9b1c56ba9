import { describe, expect, test } from 'bun:test'
import { contract } from '../../shared/contract/index.ts'
import { claimAdmin } from '../admin/support.ts'
import { newVerifiedUser } from '../harness/http.ts'
import { says, startModelServer } from '../harness/model-server.ts'
import {
  type Answer,
  newUser,
  request,
  startServer,
  type TestUser,
  useServer,
} from '../harness/server.ts'

const server = useServer()

const NOT_MEMBER = [403, { detail: 'Not a member of this organization' }]

const foundOrg = async (user: TestUser, name = 'Acme'): Promise<string> => {
  const created = await request(server.current, 'POST', '/api/orgs', {
    token: user.accessToken,
    body: { name },
  })
  expect(created.status).toBe(201)
  return created.body.id
}

const activate = async (user: TestUser, org: string) => {
  const { status } = await request(server.current, 'POST', `/api/orgs/${org}/activate`, {
    token: user.accessToken,
  })
  expect(status).toBeLessThan(300)
}

interface As {
  token: string
  org?: string
}

const textsOf = ({ body }: Answer): string[] =>
  body.memories.map(({ content_text }: { content_text: string }) => content_text)

const headersOf = ({ org }: As) => (org === undefined ? {} : { 'x-org-id': org })

const remember = async (as: As, content: string, rest: object = {}) => {
  const { status, body } = await request(server.current, 'POST', '/api/remember', {
    token: as.token,
    headers: headersOf(as),
    body: { content, ...rest },
  })
  expect(status).toBe(201)
  return body
}

const recall = async (as: As, body: object): Promise<string[]> => {
  const answer = await request(server.current, 'POST', '/api/recall', {
    token: as.token,
    headers: headersOf(as),
    body,
  })
  expect(answer.status).toBe(200)
  return textsOf(answer)
}

const me = async (as: As) => {
  const { status, body } = await request(server.current, 'GET', '/api/me', {
    token: as.token,
    headers: headersOf(as),
  })
  return [status, status === 200 ? body.org : body]
}

describe('the organization of a request', () => {
  test('a request without an organization acts for the user', async () => {
    const ada = await newUser(server.current)
    await foundOrg(ada)
    for (const token of [ada.accessToken, ada.key]) expect(await me({ token })).toEqual([200, null])
  })

  test('X-Org-ID selects the organization, in any case, with an access token or an API key', async () => {
    const ada = await newUser(server.current)
    const id = await foundOrg(ada)
    const org = { id, name: 'Acme', role: 'owner' }
    for (const token of [ada.accessToken, ada.key])
      for (const named of [id, id.toUpperCase(), ` ${id} `])
        expect(await me({ token, org: named })).toEqual([200, org])
  })

  test('the active organization applies to access tokens, not to API keys', async () => {
    const ada = await newUser(server.current)
    const [first, second] = [await foundOrg(ada, 'First'), await foundOrg(ada, 'Second')]
    await activate(ada, first)
    const token = ada.accessToken
    expect(await me({ token })).toEqual([200, { id: first, name: 'First', role: 'owner' }])
    expect(await me({ token, org: second })).toMatchObject([200, { id: second }])
    expect(await me({ token: ada.key })).toEqual([200, null])
  })

  test('an organization without membership, unknown or malformed is 403', async () => {
    const [ada, bob] = [await newUser(server.current), await newUser(server.current)]
    const [own, foreign] = [await foundOrg(ada), await foundOrg(bob)]
    await activate(ada, own)
    for (const org of [foreign, crypto.randomUUID(), 'acme', `${own}x`])
      for (const token of [ada.accessToken, ada.key])
        expect(await me({ token, org })).toEqual(NOT_MEMBER)
  })

  test('every endpoint refuses an organization without membership', async () => {
    const [ada, eve] = [await newVerifiedUser(server.current), await newUser(server.current)]
    const foreign = await foundOrg(eve)
    for (const { name, method, path, credential } of contract) {
      if (credential !== 'bearer' && credential !== 'jwt') continue
      const { status, body } = await request(
        server.current,
        method,
        path.replace(/\{\w+\}/g, foreign),
        {
          token: ada.accessToken,
          headers: { 'x-org-id': foreign },
          ...(method !== 'GET' && { body: {} }),
        },
      )
      expect([name, status, body]).toEqual([name, ...NOT_MEMBER])
    }
  })

  test('an invalid credential is 401 before the organization is checked', async () => {
    const answer = await request(server.current, 'GET', '/api/me', {
      token: 'svc_wrong',
      headers: { 'x-org-id': crypto.randomUUID() },
    })
    expect(answer.status).toBe(401)
  })

  test('a key of an organization acts in it and ignores X-Org-ID', async () => {
    const ada = await newUser(server.current)
    const [own, other] = [await foundOrg(ada, 'Own'), await foundOrg(ada, 'Other')]
    const { status, body } = await request(server.current, 'POST', '/api/auth/api-keys', {
      token: ada.accessToken,
      body: { name: 'robot', org_id: own },
    })
    expect([status, body.org_id]).toEqual([201, own])
    for (const org of [undefined, other, crypto.randomUUID()])
      expect(await me({ token: body.key, ...(org && { org }) })).toEqual([
        200,
        { id: own, name: 'Own', role: 'owner' },
      ])
  })

  test('a device login approved for an organization acts in it', async () => {
    const [ada, bob] = [await newUser(server.current), await newUser(server.current)]
    const [own, foreign] = [await foundOrg(ada), await foundOrg(bob)]
    const started = await request(server.current, 'POST', '/api/auth/mcp/start', {
      body: { client_name: 'editor' },
    })
    const approve = (org_id: string) =>
      request(server.current, 'POST', '/api/auth/mcp/authorize', {
        token: ada.accessToken,
        body: { user_code: started.body.user_code, approve: true, org_id },
      })
    const refused = await approve(foreign)
    expect([refused.status, refused.body]).toEqual(NOT_MEMBER)
    expect((await approve(own)).body).toEqual({ status: 'approved' })
    const polled = await request(server.current, 'POST', '/api/auth/mcp/poll', {
      body: { device_code: started.body.device_code },
    })
    expect(await me({ token: polled.body.api_key })).toMatchObject([200, { id: own }])
  })
})

describe('memories', () => {
  test('memories of an organization and of its members are separate', async () => {
    const ada = await newUser(server.current)
    const org = await foundOrg(ada)
    const [alone, together] = [{ token: ada.key }, { token: ada.key, org }]
    const mine = await remember(alone, 'The heron nests by the north pond')
    const ours = await remember(together, 'The heron budget is settled in May')
    expect([mine.org_id, ours.org_id]).toEqual([null, org])
    expect(await recall(alone, { query: 'heron' })).toEqual([mine.content_text])
    expect(await recall(together, { query: 'heron' })).toEqual([ours.content_text])
    const get = (as: As, id: string) =>
      request(server.current, 'GET', `/api/memories/${id}`, {
        token: as.token,
        headers: headersOf(as),
      })
    expect((await get(together, ours.memory_id)).status).toBe(200)
    expect((await get(alone, ours.memory_id)).status).toBe(404)
    expect((await get(together, mine.memory_id)).status).toBe(404)
  })

  test('the scope recalls from the user, the organization or both', async () => {
    const ada = await newUser(server.current)
    const org = await foundOrg(ada)
    const [alone, together] = [{ token: ada.key }, { token: ada.key, org }]
    const mine = 'My walrus is called Otto'
    const ours = 'Our walrus is called Olga'
    const agents = 'The walrus report is due'
    await remember(alone, mine)
    await remember(together, ours)
    await remember(together, agents, { agent_slug: 'clerk' })
    const recalled = async (scope: string, rest: object = {}) =>
      (await recall(together, { query: 'walrus', scope, ...rest })).sort()
    expect(await recalled('personal')).toEqual([mine])
    expect(await recalled('org')).toEqual([agents, ours].sort())
    expect(await recalled('all')).toEqual([agents, mine, ours].sort())
    expect(await recalled('agent', { agent_slug: 'clerk' })).toEqual([agents])
    const tiers = { query: 'walrus', scope: 'tiered', agent_slug: 'clerk' }
    expect(await recall(together, tiers)).toEqual([agents, mine, ours])
    expect(await recall(together, { ...tiers, limit: 2 })).toEqual([agents, mine])
    expect(await recall(together, { ...tiers, limit: 1 })).toEqual([agents])
    expect(await recall(alone, { query: 'walrus', scope: 'org' })).toEqual([])
  })

  test('a key of an organization does not recall the memories of its user', async () => {
    const ada = await newVerifiedUser(server.current)
    const org = await foundOrg(ada)
    const [mine, ours] = ['My walrus is called Otto', 'Our walrus is called Olga']
    await remember({ token: ada.key }, mine)
    await remember({ token: ada.key, org }, ours)
    const { body: robot } = await request(server.current, 'POST', '/api/auth/api-keys', {
      token: ada.accessToken,
      body: { name: 'robot', org_id: org },
    })
    const recalled = (scope: string) => recall({ token: robot.key }, { query: 'walrus', scope })
    for (const scope of ['org', 'all', 'tiered']) expect(await recalled(scope)).toEqual([ours])
    expect(await recalled('personal')).toEqual([])
    const message = 'What is the walrus called?'
    for (const path of ['/api/talk', '/api/chat']) {
      const answer = await request(server.current, 'POST', path, {
        token: robot.key,
        body: { message },
      })
      expect(answer.status).toBe(200)
      expect(textsOf(answer)).toEqual([ours])
      expect(answer.text).not.toContain('Otto')
    }
  })

  test('memories are filtered by the name of their agent', async () => {
    const ada = await newUser(server.current)
    const { status, body } = await request(server.current, 'POST', '/api/recall', {
      token: ada.key,
      body: { query: 'walrus', scope: 'agent' },
    })
    expect([status, body]).toEqual([
      422,
      { detail: [{ loc: ['body', 'agent_slug'], type: 'missing', msg: 'Field required' }] },
    ])
  })

  test('memories of an organization are exported and counted only in it', async () => {
    const ada = await newVerifiedUser(server.current)
    const org = await foundOrg(ada)
    await remember({ token: ada.key, org }, 'The kiln is hot on Mondays')
    const exported = async (as: As) => {
      const headers = { authorization: `Bearer ${as.token}`, ...headersOf(as) }
      const answer = await fetch(`${server.current.url}/api/memories/export`, { headers })
      return (await answer.text()).includes('kiln')
    }
    const counted = async (as: As) => {
      const { body } = await request(server.current, 'GET', '/api/introspect/stats', {
        token: as.token,
        headers: headersOf(as),
      })
      return body.memories.total
    }
    const [alone, together] = [{ token: ada.key }, { token: ada.key, org }]
    expect([await exported(alone), await exported(together)]).toEqual([false, true])
    expect([await counted(alone), await counted(together)]).toEqual([0, 1])
  })
})

test("a chat in an organization recalls its memories alone and saves the user's message there, without the answer", async () => {
  await using model = await startModelServer()
  model.always(says('Ferrets like cold melon, which most visitors never mentioned before.'))
  await using own = await startServer({
    SVC_OPENAI_BASE_URL: model.url,
    SVC_CHAT_MODEL: 'a-model',
  })
  const ada = await newVerifiedUser(own)
  const created = await request(own, 'POST', '/api/orgs', {
    token: ada.accessToken,
    body: { name: 'Acme' },
  })
  const alone = { token: ada.key }
  const together = { token: ada.key, headers: { 'x-org-id': created.body.id } }
  const call = (as: object, path: string, body: object) =>
    request(own, 'POST', path, { ...as, body })
  const list = async (as: object) => textsOf(await request(own, 'GET', '/api/memories', as))

  const [mine, ours] = ['My ferret sleeps in the red drawer', 'The office ferret is fed at noon']
  await call(alone, '/api/remember', { content: mine })
  await call(together, '/api/remember', { content: ours })
  const text = 'The office ferret sleeps in a drawer and is fed at noon, by me'
  const chat = await call(together, '/api/chat', { message: text })
  expect(chat.status).toBe(200)
  expect(textsOf(chat)).toEqual([ours])
  expect(await list(together)).toEqual([text, ours])
  expect(await list(alone)).toEqual([mine])

  // Outside the organization the answer is saved.
  await call(alone, '/api/chat', { message: text })
  expect(await list(alone)).toHaveLength(3)
})

test('a message of an agent in an organization reaches a model only there', async () => {
  await using model = await startModelServer()
  await using own = await startServer({
    SVC_OPENAI_BASE_URL: model.url,
    SVC_CHAT_MODEL: 'a-model',
  })
  const ada = await newUser(own)
  const created = await request(own, 'POST', '/api/orgs', {
    token: ada.accessToken,
    body: { name: 'Acme' },
  })
  const key = await request(own, 'POST', '/api/auth/api-keys', {
    token: ada.accessToken,
    body: { name: 'robot', org_id: created.body.id },
  })
  const chat = async (token: string, message: string) => {
    const callsBefore = model.calls.length
    const { status } = await request(own, 'POST', '/api/talk', { token, body: { message } })
    expect(status).toBe(200)
    const talks = model.calls.slice(callsBefore).map(({ body }) => JSON.stringify(body))
    return talks.find((talk) => talk.includes(message))
  }
  await chat(ada.key, 'The doctor says my knee is worse.')
  const within = await chat(key.body.key, 'The invoice is paid.')
  expect(within).not.toContain('knee')
  const again = await chat(key.body.key, 'What was paid?')
  expect(again).toContain('The invoice is paid.')
  const alone = await chat(ada.key, 'What did the doctor say?')
  expect(alone).toContain('knee')
  expect(alone).not.toContain('invoice')
})

test('a key of an organization has no admin rights, even if an admin created it', async () => {
  await using own = await startServer()
  const ada = await newUser(own)
  await claimAdmin(own, ada)
  const created = await request(own, 'POST', '/api/orgs', {
    token: ada.accessToken,
    body: { name: 'Acme' },
  })
  const key = await request(own, 'POST', '/api/auth/api-keys', {
    token: ada.accessToken,
    body: { name: 'robot', org_id: created.body.id },
  })
  const stats = (token: string) => request(own, 'GET', '/api/admin/stats', { token })
  expect((await stats(ada.key)).status).toBe(200)
  const refused = await stats(key.body.key)
  expect([refused.status, refused.body]).toEqual([403, { detail: 'Admin access required' }])
})
