import { describe, expect, test } from 'bun:test'
import { createOrgClient } from '../account/organization-support.ts'
import { newVerifiedUser } from '../harness/http.ts'
import {
  type Answer,
  cookieValue,
  newAddress,
  newUser,
  PASSWORD,
  request,
  useSharedServer,
} from '../harness/server.ts'
import { connectHttp, textOf, toolsOf } from './client.ts'
import {
  askTokens,
  authorizePath,
  CALLBACK,
  decide,
  fieldsOn,
  letIn,
  newProof,
  OAUTH,
  opens,
  post,
  register,
} from './oauth-support.ts'

const server = useSharedServer()

const refresh = (granted: { clientId: string }, refresh_token: string) =>
  askTokens(server.current, {
    grant_type: 'refresh_token',
    client_id: granted.clientId,
    refresh_token,
  })

const isOAuthClient = ({ user_agent }: { user_agent: string }) => user_agent === 'Heron (MCP)'

/** An issued authorization code and the form that redeems it. */
const newCode = async (parameters: Record<string, string> = {}) => {
  const user = await newUser(server.current)
  const client_id = await register(server.current)
  const { verifier, challenge } = newProof()
  const path = authorizePath({ client_id, code_challenge: challenge, ...parameters })
  const back = await decide(server.current, user, path)
  return {
    user,
    form: {
      grant_type: 'authorization_code',
      client_id,
      code: back.searchParams.get('code') ?? '',
      code_verifier: verifier,
      redirect_uri: CALLBACK,
    },
  }
}

describe('metadata', () => {
  test('the resource names its authorization server, which names its endpoints', async () => {
    const { baseUrl, url } = server.current
    for (const suffix of ['', '/api/mcp']) {
      const path = `/.well-known/oauth-protected-resource${suffix}`
      const { status, body } = await request(server.current, 'GET', path)
      expect(status).toBe(200)
      expect(body).toMatchObject({
        // Under the host name of the request.
        resource: `${url}/api/mcp`,
        authorization_servers: [baseUrl],
        bearer_methods_supported: ['header'],
      })
    }
    const { body } = await request(server.current, 'GET', '/.well-known/oauth-authorization-server')
    expect(body).toMatchObject({
      issuer: baseUrl,
      code_challenge_methods_supported: ['S256'],
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
    })
    for (const name of ['authorization', 'token', 'registration', 'revocation'])
      expect(body[`${name}_endpoint`]).toStartWith(`${baseUrl}${OAUTH}/`)
  })
})

describe('an authorized client', () => {
  test('an authorized client shares the memories of the user', async () => {
    const user = await newUser(server.current)
    const { access } = await letIn(server.current, user)
    await using program = await connectHttp(server.current, access)
    await using key = await connectHttp(server.current, user.key)
    await program.call('remember', { content: 'The heron is called Otto.' })
    expect(textOf(await key.call('recall', { query: 'the heron' }))).toContain('Otto')
  })

  test('an authorized client has a token that only the MCP endpoint accepts', async () => {
    const { access, refresh } = await letIn(server.current, await newUser(server.current))
    const elsewhere: [string, string, object?][] = [
      ['GET', '/api/me'],
      ['POST', '/api/recall', { query: 'x' }],
      ['GET', '/api/auth/sessions'],
      ['POST', '/api/auth/api-keys', { name: 'x' }],
    ]
    for (const token of [access, refresh])
      for (const [method, path, body] of elsewhere) {
        const { status } = await request(server.current, method, path, { token, body })
        expect([path, status]).toEqual([path, 401])
      }
    expect(await opens(server.current, access)).toBe(true)
    expect(await opens(server.current, refresh)).toBe(false)
    const cookie = await request(server.current, 'POST', '/api/auth/refresh', { cookie: refresh })
    expect(cookie.status).toBe(401)
  })

  test('an authorized client is listed in the user’s sessions by name, and loses access when that session ends', async () => {
    const user = await newUser(server.current)
    const granted = await letIn(server.current, user)
    await using program = await connectHttp(server.current, granted.access)
    const token = user.accessToken
    const { body } = await request(server.current, 'GET', '/api/auth/sessions', { token })
    const session = body.find(isOAuthClient)
    expect(session).toMatchObject({ current: false })

    const path = `/api/auth/sessions/${session.id}`
    expect((await request(server.current, 'DELETE', path, { token })).status).toBe(204)
    expect(await opens(server.current, granted.access)).toBe(false)
    expect((await refresh(granted, granted.refresh)).body).toMatchObject({ error: 'invalid_grant' })
    await expect(program.call('recall', { query: 'x' })).rejects.toThrow(/Sign in again: /)
  })

  test('an authorized client is listed in the user’s apps with its organization until its session ends', async () => {
    const user = await newUser(server.current)
    const token = user.accessToken
    const org = await request(server.current, 'POST', '/api/orgs', {
      token,
      body: { name: 'Owls' },
    })
    const { clientId } = await letIn(server.current, user)
    await letIn(server.current, user, { choice: { org: org.body.id } })
    const apps = async () =>
      (await request(server.current, 'GET', '/api/auth/apps', { token })).body
    const [ofOrg, own] = await apps()
    expect(ofOrg).toMatchObject({ name: 'Heron', org: { id: org.body.id, name: 'Owls' } })
    expect(own).toEqual({
      session_id: expect.any(String),
      client_id: clientId,
      name: 'Heron',
      org: null,
      created_at: expect.any(String),
      last_seen_at: expect.any(String),
    })
    const path = `/api/auth/sessions/${own.session_id}`
    await request(server.current, 'DELETE', path, { token })
    expect(await apps()).toEqual([ofOrg])
    const { accessToken: stranger } = await newUser(server.current)
    const other = await request(server.current, 'GET', '/api/auth/apps', { token: stranger })
    expect(other.body).toEqual([])
  })

  test('an authorized client is limited to reading, paused and resumed by its user', async () => {
    const user = await newUser(server.current)
    const { access } = await letIn(server.current, user)
    const { accessToken: token } = user
    const [app] = (await request(server.current, 'GET', '/api/auth/apps', { token })).body
    const change = (body: object) =>
      request(server.current, 'PATCH', `/api/auth/apps/${app.session_id}`, { token, body })
    expect(await toolsOf(server.current, access)).toContain('remember')
    expect((await change({ scopes: ['memory:read'] })).body.scopes).toEqual(['memory:read'])
    expect(await toolsOf(server.current, access)).toEqual(['recall', 'list', 'get', 'status'])
    expect((await change({ paused: true })).body.paused).toBe(true)
    expect(await opens(server.current, access)).toBe(false)
    expect((await change({ paused: false, scopes: null })).body).toEqual(app)
    expect(await toolsOf(server.current, access)).toContain('remember')
    const { accessToken: stranger } = await newUser(server.current)
    const path = `/api/auth/apps/${app.session_id}`
    const theirs = await request(server.current, 'PATCH', path, {
      token: stranger,
      body: { paused: true },
    })
    expect(theirs.status).toBe(404)
  })

  test('an authorized client loses access when the user changes the password, ends all sessions or deletes the account', async () => {
    const ends = [
      [
        'POST',
        '/api/auth/change-password',
        { current_password: PASSWORD, new_password: 'another good password' },
      ],
      ['DELETE', '/api/auth/sessions', undefined],
      ['DELETE', '/api/auth/delete-account', { password: PASSWORD }],
    ] as const
    for (const [method, path, body] of ends) {
      const user = await newUser(server.current)
      const granted = await letIn(server.current, user)
      expect(await opens(server.current, granted.access)).toBe(true)
      const token = user.accessToken
      const done = await request(server.current, method, path, { token, body })
      expect([path, done.status]).toEqual([path, 200])
      expect([path, await opens(server.current, granted.access)]).toEqual([path, false])
      expect((await refresh(granted, granted.refresh)).status).toBe(400)
    }
  })

  test('an authorized client can revoke its grant with either token, and another client cannot', async () => {
    for (const which of ['access', 'refresh'] as const) {
      const granted = await letIn(server.current, await newUser(server.current))
      const other = await register(server.current)
      const revoke = (client_id: string, token: string) =>
        post(server.current, `${OAUTH}/revoke`, { client_id, token })
      expect((await revoke(other, granted[which])).status).toBe(400)
      expect((await revoke(granted.clientId, 'no token')).status).toBe(200)
      expect(await opens(server.current, granted.access)).toBe(true)
      expect((await revoke(granted.clientId, granted[which])).status).toBe(200)
      expect(await opens(server.current, granted.access)).toBe(false)
    }
  })

  test('an authorized client acts only in the organization that the user chose', async () => {
    const user = await newUser(server.current)
    const org = await request(server.current, 'POST', '/api/orgs', {
      token: user.accessToken,
      body: { name: 'Herons' },
    })
    const orgId = org.body.id ?? org.body.org_id
    const ours = await letIn(server.current, user, { choice: { org: orgId } })
    const mine = await letIn(server.current, user)
    await using inOrg = await connectHttp(server.current, ours.access)
    await using alone = await connectHttp(server.current, mine.access)
    await inOrg.call('remember', { content: 'Our lake is deep.' })
    const query = { query: 'How deep is the lake?' }
    expect((await inOrg.call('recall', query)).structuredContent).toMatchObject({ count: 1 })
    expect((await alone.call('recall', query)).structuredContent).toMatchObject({ count: 0 })
    await alone.call('remember', { content: 'My own lake is shallow.' })
    for (const scope of ['personal', 'all', 'tiered']) {
      const { structuredContent } = await inOrg.call('recall', { ...query, scope })
      expect(JSON.stringify(structuredContent)).not.toContain('shallow')
    }

    const deleted = await request(server.current, 'DELETE', `/api/orgs/${orgId}`, {
      token: user.accessToken,
    })
    expect(deleted.status).toBeLessThan(300)
    expect(await opens(server.current, ours.access)).toBe(false)
    expect((await refresh(ours, ours.refresh)).status).toBe(400)
    expect(await opens(server.current, mine.access)).toBe(true)

    const otherUser = await newUser(server.current)
    for (const org of [orgId, crypto.randomUUID(), 'no id'])
      await expect(letIn(server.current, otherUser, { choice: { org } })).rejects.toThrow('403')
  })

  test('an authorized client loses access to an organization when the user leaves it, also after they rejoin', async () => {
    const orgs = createOrgClient(server)
    const owner = await newVerifiedUser(server.current)
    const org = await orgs.createOrg(owner)
    const member = await orgs.join(owner, org)
    const granted = await letIn(server.current, member, { choice: { org: org.id } })
    expect(await opens(server.current, granted.access)).toBe(true)
    await orgs.call(owner, 'DELETE', `orgs/${org.id}/members/${member.id}`)
    expect(await opens(server.current, granted.access)).toBe(false)
    const { token } = await orgs.invite(owner, org, member.email)
    expect((await orgs.call(member, 'POST', 'invites/accept', { token })).status).toBe(200)
    expect(await opens(server.current, granted.access)).toBe(false)
    expect((await refresh(granted, granted.refresh)).status).toBe(400)
  })

  test('an authorized client gets no access when all sessions end at the same moment', async () => {
    const user = await newUser(server.current)
    for (let round = 0; round < 8; round++) {
      const signedIn = await request(server.current, 'POST', '/api/auth/signin', {
        body: { email: user.email, password: PASSWORD },
      })
      const refreshToken = cookieValue(signedIn.cookie)
      const client_id = await register(server.current)
      const { verifier, challenge } = newProof()
      const path = authorizePath({ client_id, code_challenge: challenge })
      const back = await decide(server.current, { refreshToken }, path)
      const [tokens, out] = await Promise.all([
        askTokens(server.current, {
          grant_type: 'authorization_code',
          client_id,
          code: back.searchParams.get('code') ?? '',
          code_verifier: verifier,
          redirect_uri: CALLBACK,
        }),
        request(server.current, 'DELETE', '/api/auth/sessions', { cookie: refreshToken }),
      ])
      expect(out.status).toBe(200)
      if (tokens.status === 200)
        expect(await opens(server.current, tokens.body.access_token)).toBe(false)
      else expect(tokens.status).toBe(400)
    }
  })

  test('an authorized client gets new tokens for its refresh token; an older one than the last revokes the grant', async () => {
    const granted = await letIn(server.current, await newUser(server.current))
    const first = await refresh(granted, granted.refresh)
    expect(first.body).toMatchObject({ token_type: 'Bearer', expires_in: 3600 })
    expect(first.headers.get('cache-control')).toBe('no-store')
    const second = await refresh(granted, first.body.refresh_token)
    expect(await opens(server.current, second.body.access_token)).toBe(true)

    // The successor has been used, so no response was lost.
    const replayed = await refresh(granted, granted.refresh)
    expect([replayed.status, replayed.body.error]).toEqual([400, 'invalid_grant'])
    expect((await refresh(granted, second.body.refresh_token)).status).toBe(400)
    expect(await opens(server.current, second.body.access_token)).toBe(false)
  })

  test('an authorized client stays signed in when twenty windows refresh at once', async () => {
    const user = await newUser(server.current)
    const granted = await letIn(server.current, user)
    const windows = await Promise.all(
      Array.from({ length: 20 }, () => refresh(granted, granted.refresh)),
    )
    expect(windows.map(({ status }) => status)).toEqual(windows.map(() => 200))
    for (const { body } of windows)
      expect(await opens(server.current, body.access_token)).toBe(true)
    const { body } = await request(server.current, 'GET', '/api/auth/sessions', {
      token: user.accessToken,
    })
    expect(body.filter(isOAuthClient)).toHaveLength(1)
    const next = await Promise.all(
      windows.map((window) => refresh(granted, window.body.refresh_token)),
    )
    expect(next.map(({ status }) => status)).toEqual(next.map(() => 200))
  })

  test('an authorized client cannot use the refresh token of another client', async () => {
    const granted = await letIn(server.current, await newUser(server.current))
    const clientId = await register(server.current)
    expect((await refresh({ clientId }, granted.refresh)).body.error).toBe('invalid_grant')
    expect((await refresh(granted, granted.refresh)).status).toBe(200)
  })
})

describe('an authorization code', () => {
  test('an authorization code works once; a second use at once is refused and ends nothing', async () => {
    const { form } = await newCode()
    const first = await askTokens(server.current, form)
    expect(await opens(server.current, first.body.access_token)).toBe(true)
    const again = await askTokens(server.current, form)
    expect([again.status, again.body.error]).toEqual([400, 'invalid_grant'])
    expect(await opens(server.current, first.body.access_token)).toBe(true)
    const guessed = await askTokens(server.current, { ...form, code_verifier: newProof().verifier })
    expect([guessed.status, guessed.body.error]).toEqual([400, 'invalid_grant'])
    expect(await opens(server.current, first.body.access_token)).toBe(false)
  })

  test('an authorization code is redeemed once under concurrent attempts', async () => {
    const { form } = await newCode()
    const tries = await Promise.all([1, 2, 3, 4].map(() => askTokens(server.current, form)))
    expect(tries.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('an authorization code is bound to the client, the redirect URI and the verifier', async () => {
    const other = await register(server.current)
    const wrong: Record<string, string>[] = [
      { client_id: other },
      { redirect_uri: 'http://127.0.0.1:7778/callback' },
      { redirect_uri: `${CALLBACK}/` },
      { code_verifier: newProof().verifier },
      { code_verifier: 'short' },
    ]
    for (const change of wrong) {
      const { form } = await newCode()
      const { status, body } = await askTokens(server.current, { ...form, ...change })
      expect([change, status, body.error]).toEqual([change, 400, 'invalid_grant'])
      // The failed attempt consumed the code, so a correct one fails too.
      expect((await askTokens(server.current, form)).status).toBe(400)
    }
  })

  test('an authorization code requires client, redirect URI and verifier', async () => {
    const { form } = await newCode()
    for (const name of ['code', 'client_id', 'redirect_uri', 'code_verifier'] as const) {
      const { [name]: _, ...rest } = form
      const { body } = await askTokens(server.current, rest)
      expect([name, body.error]).toEqual([name, 'invalid_request'])
    }
    expect((await askTokens(server.current, form)).status).toBe(200)
  })

  test('an authorization code is bound to the MCP resource', async () => {
    const resource = `${server.current.baseUrl}/api/mcp`
    const { form } = await newCode({ resource })
    const elsewhere = { ...form, resource: 'https://elsewhere.example/mcp' }
    expect((await askTokens(server.current, elsewhere)).body.error).toBe('invalid_target')
    expect((await askTokens(server.current, { ...form, resource })).status).toBe(200)
  })

  test('an authorization code is bound to the MCP resource, whichever tools its address selects', async () => {
    const resource = `${server.current.baseUrl}/api/mcp?readonly=true`
    const { form } = await newCode({ resource })
    expect((await askTokens(server.current, { ...form, resource })).status).toBe(200)
  })

  test('an authorization code is invalid after the user signs out of the approving session', async () => {
    const { user, form } = await newCode()
    await request(server.current, 'POST', '/api/auth/signout', { cookie: user.refreshToken })
    expect((await askTokens(server.current, form)).body.error).toBe('invalid_grant')
  })
})

describe('the authorization page', () => {
  const page = (path: string, cookie?: string) =>
    request(server.current, 'GET', path, cookie ? { cookie } : {})

  test('the authorization page asks a signed-out user to sign in, then continues the request', async () => {
    const user = await newUser(server.current)
    const client_id = await register(server.current)
    const path = authorizePath({ client_id, code_challenge: newProof().challenge })
    const anonymous = await page(path)
    expect(anonymous.status).toBe(200)
    expect(anonymous.text).toContain('type="password"')
    expect(anonymous.text).not.toContain('Heron')

    const action = `${OAUTH}/authorize/signin`
    const form = { ...fieldsOn(anonymous.text, action), email: user.email, password: PASSWORD }
    const signedIn = await post(server.current, action, form)
    expect(signedIn.status).toBe(303)
    const next = await page(signedIn.headers.get('location') ?? '', user.refreshToken)
    expect(next.text).toContain('Allow Heron to use your memory?')
    expect(next.text).toContain('127.0.0.1:7777')
  })

  test('the authorization page cannot be framed, and accepts decisions only from its own origin', async () => {
    const user = await newUser(server.current)
    const client_id = await register(server.current)
    const path = authorizePath({ client_id, code_challenge: newProof().challenge })
    const shown = await page(path, user.refreshToken)
    expect(shown.headers.get('x-frame-options')).toBe('DENY')
    expect(shown.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")

    const action = `${OAUTH}/authorize/decide`
    const form = { ...fieldsOn(shown.text, action), decision: 'approve' }
    const cookie = user.refreshToken
    for (const origin of ['https://evil.example', 'null']) {
      const headers = { origin }
      expect((await post(server.current, action, form, { cookie, headers })).status).toBe(403)
    }
    const other = await newUser(server.current)
    const asOther = await post(server.current, action, form, { cookie: other.refreshToken })
    expect(asOther.headers.get('location')).toStartWith(`${OAUTH}/authorize?`)
  })

  test('the authorization page allows at most 100 clients per user and day', async () => {
    const user = await newUser(server.current)
    const client_id = await register(server.current)
    const path = authorizePath({ client_id, code_challenge: newProof().challenge })
    const { text } = await page(path, user.refreshToken)
    const action = `${OAUTH}/authorize/decide`
    const form = { ...fieldsOn(text, action), decision: 'approve' }
    const answers = await Promise.all(
      // Equal submissions would be one.
      Array.from({ length: 101 }, (_, index) =>
        post(
          server.current,
          action,
          { ...form, submission: `${index}`.padStart(43, 'x') },
          { cookie: user.refreshToken },
        ),
      ),
    )
    const refused = answers.filter(({ status }) => status !== 303)
    expect(refused.map(({ status }) => status)).toEqual([429])
    expect(refused[0]?.text).toContain('Daily limit of authorized apps reached. Try again in')
  })

  test('the authorization page redirects a denial with the error and the issuer', async () => {
    const user = await newUser(server.current)
    const client_id = await register(server.current)
    const path = authorizePath({ client_id, code_challenge: newProof().challenge, state: 'a&b=c' })
    const back = await decide(server.current, user, path, { decision: 'deny' })
    expect(`${back.origin}${back.pathname}`).toBe(CALLBACK)
    expect(Object.fromEntries(back.searchParams)).toEqual({
      error: 'access_denied',
      state: 'a&b=c',
      iss: server.current.baseUrl,
    })
  })

  test('the authorization page escapes the name of the client', async () => {
    const user = await newUser(server.current)
    const name = '<b>Svc</b>\u202e\nitself'
    const client_id = await register(server.current, { client_name: name })
    const path = authorizePath({ client_id, code_challenge: newProof().challenge })
    const { text } = await page(path, user.refreshToken)
    expect(text).not.toContain('<b>Svc')
    expect(text).not.toContain('\u202e')
    expect(text).toContain('&#60;b&#62;Svc&#60;/b&#62; itself')
  })

  test('the authorization page never redirects to an unregistered URI', async () => {
    const user = await newUser(server.current)
    const client_id = await register(server.current, {
      redirect_uris: [CALLBACK, 'https://heron.example/back?x=1'],
    })
    const { challenge } = newProof()
    const foreign = [
      'https://evil.example/back',
      'https://heron.example/back',
      'https://heron.example/back?x=1&y=2',
      'https://heron.example.evil.example/back?x=1',
      'https://heron.example/back?x=1#z',
      'https://heron.example/other/../back?x=1',
      'http://127.0.0.1:7777/other',
      'http://127.0.0.1.evil.example:7777/callback',
      'http://localhost:7777/callback',
      'http://user@127.0.0.1:7777/callback',
      'javascript:alert(1)',
    ]
    for (const redirect_uri of foreign) {
      const path = authorizePath({ client_id, code_challenge: challenge, redirect_uri })
      const { status, headers, text } = await page(path, user.refreshToken)
      expect([redirect_uri, status, headers.get('location')]).toEqual([redirect_uri, 400, null])
      expect(text).not.toContain('evil.example')
    }
    const another = 'http://127.0.0.1:50123/callback'
    const path = authorizePath({ client_id, code_challenge: challenge, redirect_uri: another })
    expect((await decide(server.current, user, path)).href).toStartWith(`${another}?code=`)
  })

  test('the authorization page shows request errors and redirects only after the user confirms', async () => {
    const user = await newUser(server.current)
    const client_id = await register(server.current)
    const { challenge: code_challenge } = newProof()
    const wrong: [Record<string, string | undefined>, string][] = [
      [{ response_type: 'token' }, 'unsupported_response_type'],
      [{ code_challenge: undefined }, 'invalid_request'],
      [{ code_challenge_method: 'plain' }, 'invalid_request'],
      [{ code_challenge_method: undefined }, 'invalid_request'],
      [{ code_challenge: 'too-short' }, 'invalid_request'],
      [{ resource: 'https://elsewhere.example/mcp' }, 'invalid_target'],
      [{ prompt: 'none' }, 'consent_required'],
    ]
    for (const [change, error] of wrong) {
      const path = authorizePath({ client_id, code_challenge, ...change })
      const { status, headers, text } = await page(path, user.refreshToken)
      expect([change, status, headers.get('location')]).toEqual([change, 400, null])
      expect(text).toContain(`error=${error}`)
      expect(text).not.toContain('value="approve"')
    }
    for (const change of [
      { client_id: crypto.randomUUID() },
      { client_id: 'x' },
      { client_id: '' },
    ])
      expect(
        (await page(authorizePath({ code_challenge, ...change }), user.refreshToken)).status,
      ).toBe(400)
  })
})

describe('client registration', () => {
  const send = (body: unknown, headers: Record<string, string> = {}) =>
    request(server.current, 'POST', `${OAUTH}/register`, { body, headers })

  test('client registration accepts https, loopback and private-use redirect URIs', async () => {
    const redirect_uris = [
      'https://claude.ai/api/mcp/auth_callback',
      'http://localhost:1234/callback',
      'http://127.0.0.1/callback',
      'http://[::1]:4321/',
      'cursor://anysphere.cursor-mcp/oauth/callback',
      'vscode://publisher.extension/callback',
      'com.example.app:/callback',
    ]
    const { status, body, headers } = await send({
      redirect_uris,
      client_name: 'Heron',
      token_endpoint_auth_method: 'client_secret_post',
      logo_uri: 'https://heron.example/logo.png',
    })
    expect([status, headers.get('cache-control')]).toEqual([201, 'no-store'])
    expect(body).toMatchObject({
      client_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      redirect_uris,
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
    })
    expect(body).not.toHaveProperty('client_secret')
  })

  test('client registration accepts any displayable client name', async () => {
    for (const [client_name, shown] of [
      ['鷺'.repeat(150), '鷺'.repeat(100)],
      ['🪿'.repeat(150), '🪿'.repeat(100)],
      ['a\u0000b\u2028c\ud800d', 'a b c d'],
      [' \u200b ', '127.0.0.1'],
    ])
      expect((await send({ redirect_uris: [CALLBACK], client_name })).body.client_name).toBe(shown)
  })

  test.each([
    'client_name',
    'client_uri',
    'post_logout_redirect_uris',
    'grant_types',
    'response_types',
    'token_endpoint_auth_method',
    'logo_uri',
    'scope',
  ])('client registration reads %s that is null as left out', async (field) => {
    const { status, body } = await send({ redirect_uris: [CALLBACK], [field]: null })
    expect(status).toBe(201)
    expect(body).toMatchObject({ client_name: '127.0.0.1', redirect_uris: [CALLBACK] })
    expect(body).not.toHaveProperty('client_uri')
    expect((await send({ redirect_uris: null })).status).toBe(400)
  })

  test('client registration rejects unsafe redirect URIs', async () => {
    const bad = [
      'http://heron.example/callback',
      'http://127.0.0.1.evil.example/callback',
      'https://heron.example/callback#x',
      'https://user:pass@heron.example/callback',
      'javascript:alert(1)',
      'data:text/html,x',
      'file:///etc/passwd',
      'ftp://heron.example/',
      'ms-settings:',
      'search-ms:query=x',
      'search-ms://query=x',
      'ms-msdt://id/x',
      'intent://heron.example/x',
      'chrome://settings',
      'smb://heron.example/share',
      'ssh://heron.example/',
      'sftp://heron.example/',
      'vbscript:x',
      'mailto:a@heron.example',
      'tel:123',
      'telnet://heron.example',
      'ldap://heron.example',
      'rdp://heron.example',
      'vnc://heron.example',
      'git://heron.example/x',
      'nfs://heron.example/x',
      'unknown://heron.example',
      'ms-word.document:x',
      'https://heron.example/\ncallback',
      '/callback',
      '',
    ]
    for (const uri of bad) {
      const { status, body } = await send({ redirect_uris: [CALLBACK, uri] })
      expect([uri, status, body.error]).toEqual([uri, 400, 'invalid_redirect_uri'])
    }
  })

  test('client registration returns errors with the fields of the RFCs only', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const fields = { error: expect.any(String), error_description: expect.any(String) }
    const tooLarge = 'x'.repeat(1024 * 1024 + 1)
    const from = newAddress()
    const metadata = { redirect_uris: [CALLBACK] }
    const register = (body: unknown) =>
      request(server.current, 'POST', `${OAUTH}/register`, { body, from })
    const registered = await Promise.all(Array.from({ length: 60 }, () => register(metadata)))
    expect(registered.filter(({ status }) => status === 201)).toHaveLength(60)
    const limited = await register(metadata)
    expect([limited.status, limited.body.error]).toEqual([429, 'temporarily_unavailable'])
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0)
    const refused: [Answer, number][] = [
      [limited, 429],
      [await send('not JSON'), 400],
      [await send({ redirect_uris: ['smb://x'] }), 400],
      [await send(tooLarge), 413],
    ]
    for (const path of ['token', 'revoke']) {
      const post = (body: unknown, headers = form) =>
        request(server.current, 'POST', `${OAUTH}/${path}`, { body, headers })
      refused.push(
        [await post({}, { 'content-type': 'application/json' }), 400],
        [await post(''), 400],
        [await post(tooLarge), 413],
      )
    }
    for (const [{ status, body }, expected] of refused)
      expect([status, body]).toEqual([expected, fields])
  })

  test('client registration rejects invalid client metadata', async () => {
    const bad = [
      {},
      { redirect_uris: [] },
      { redirect_uris: 'https://heron.example/' },
      { redirect_uris: [CALLBACK], client_name: 5 },
      { redirect_uris: [CALLBACK], grant_types: ['password'] },
      { redirect_uris: [CALLBACK], response_types: ['token'] },
      { redirect_uris: Array(21).fill(CALLBACK) },
      { redirect_uris: Array(20).fill(`https://heron.example/${'x'.repeat(400)}`) },
      'not JSON',
    ]
    for (const body of bad)
      expect([(await send(body)).status, (await send(body)).body.error]).toEqual([
        400,
        'invalid_client_metadata',
      ])
    expect((await send(`"${'x'.repeat(2_000_000)}"`)).status).toBe(413)
  })

  test('client registration is rate-limited per address', async () => {
    const from = '198.51.100.77'
    const body = { redirect_uris: [CALLBACK] }
    const tries = await Promise.all(
      Array.from({ length: 61 }, () =>
        request(server.current, 'POST', `${OAUTH}/register`, { body, from }),
      ),
    )
    expect(
      tries
        .map(({ status }) => status)
        .sort()
        .slice(-2),
    ).toEqual([201, 429])
  })
})

test('an oversized or mistyped form, or one with a repeated field, is rejected', async () => {
  const send = (body: string, type = 'application/x-www-form-urlencoded') =>
    request(server.current, 'POST', `${OAUTH}/token`, { body, headers: { 'content-type': type } })
  expect((await send('x'.repeat(20_000))).status).toBe(413)
  expect((await send('{}', 'application/json')).body.error).toBe('invalid_request')
  expect((await send('code=a&code=b')).body.error).toBe('invalid_request')
  expect((await send('')).body.error).toBe('unsupported_grant_type')
  expect((await send('grant_type=password')).body.error).toBe('unsupported_grant_type')
})
