import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { newAdmin, setSettings } from '../admin/settings-support.ts'
import { importUsers, ndjson } from '../admin/user-import-support.ts'
import { newVerifiedUser } from '../harness/http.ts'
import { person, startGithub, type TestProvider } from '../harness/oauth-provider.ts'
import {
  PASSWORD,
  request,
  startServer,
  type TestServer,
  type TestUser,
  uniqueEmail,
} from '../harness/server.ts'
import { browserCookieOf } from './oauth-sign-in-support.ts'
import { newProvider, type Provider } from './scim-support.ts'

setDefaultTimeout(60_000)

let github: TestProvider
let server: TestServer
let admin: TestUser
let scim: Provider

beforeAll(async () => {
  github = startGithub()
  server = await startServer(github.env)
  admin = await newAdmin(server)
  scim = await newProvider(server)
})
afterAll(async () => {
  await server.stop()
  await github[Symbol.asyncDispose]()
})

const DOMAIN = 'staff.example.org'
const closed = 'This server takes no new accounts; ask its operator for one'
const uninvited = 'A new account needs an invitation to this address'
const elsewhere = 'Accounts of this server need an address at one of its domains'

const policies = {
  open: { SVC_SIGNUP: null, SVC_SIGNUP_DOMAINS: null },
  domains: { SVC_SIGNUP: null, SVC_SIGNUP_DOMAINS: `${DOMAIN}, other.example.net` },
  invite: { SVC_SIGNUP: 'invite', SVC_SIGNUP_DOMAINS: null },
  'invite and domains': { SVC_SIGNUP: 'invite', SVC_SIGNUP_DOMAINS: DOMAIN },
  closed: { SVC_SIGNUP: 'closed', SVC_SIGNUP_DOMAINS: null },
  'closed and domains': { SVC_SIGNUP: 'closed', SVC_SIGNUP_DOMAINS: DOMAIN },
} as const
type Policy = keyof typeof policies
const setPolicy = (policy: Policy) => setSettings(server, admin, policies[policy])

const form = (path: string, fields: Record<string, string>) =>
  request(server, 'POST', path, {
    body: new URLSearchParams(fields).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      origin: server.baseUrl,
    },
  })
const password = (email: string) => ({ email, password: PASSWORD, confirm_password: PASSWORD })

/** The ways in which a person creates an account. Each returns the refusal, or undefined for an account. */
const ways: Record<string, (email: string) => Promise<string | undefined>> = {
  'the sign-up endpoint': async (email) => {
    const { status, body } = await request(server, 'POST', '/api/auth/signup', {
      body: password(email),
    })
    return status === 201 ? undefined : `${status} ${body.detail}`
  },
  'the sign-up page': (email) => signUpOnPage('/api/auth/app/signup', email),
  'the page of a device login': (email) => signUpOnPage('/api/auth/mcp/device/signup', email),
  'the page of an invite': (email) => signUpOnPage('/api/auth/invite/signup', email),
  'the page of an OAuth client': (email) =>
    signUpOnPage('/api/auth/mcp/oauth/authorize/signup', email),
  'a provider': async (email) => {
    const begun = await request(server, 'GET', '/api/auth/oauth/github/authorize')
    const cookie = browserCookieOf(begun).split(';')[0] ?? ''
    const { pathname, search } = await github.agree(begun.body.authorize_url, person({ email }))
    const answer = await request(server, 'GET', pathname + search, { headers: { cookie } })
    const landing = new URL(answer.headers.get('location') ?? '')
    return landing.searchParams.get('error') ?? undefined
  },
}

async function signUpOnPage(path: string, email: string): Promise<string | undefined> {
  const { status, text } = await form(path, password(email))
  if (status === 303) return undefined
  const alert = /<p role="alert">([^<]*)/.exec(text)?.[1]?.trim()
  const isClosed = text.includes('This server takes no new accounts.')
  return `${status} ${isClosed ? closed : alert}`
}

const invite = async (email: string) => {
  const { body: org } = await request(server, 'POST', '/api/orgs', {
    token: (await newVerifiedInviter()).accessToken,
    body: { name: 'Analytics' },
  })
  const sent = await request(server, 'POST', `/api/orgs/${org.id}/invites`, {
    token: inviter?.accessToken ?? '',
    body: { email },
  })
  expect(sent.status).toBe(201)
}
let inviter: TestUser | undefined
/** Signs up while sign-up is open. */
const newVerifiedInviter = async (): Promise<TestUser> => {
  inviter ??= await newVerifiedUser(server)
  return inviter
}
beforeAll(newVerifiedInviter)

const addresses = {
  'a stranger': async () => uniqueEmail(),
  'a stranger at the domain': async () => `user-${crypto.randomUUID()}@${DOMAIN}`,
  'a stranger at a subdomain': async () => `user-${crypto.randomUUID()}@evil.${DOMAIN}`,
  'an invited person': async () => {
    const email = uniqueEmail()
    await invite(email)
    return email
  },
}
type Address = keyof typeof addresses

const table: [Policy, Record<Address, string | undefined>][] = [
  ['open', row(undefined, undefined, undefined, undefined)],
  ['domains', row(elsewhere, undefined, elsewhere, undefined)],
  ['invite', row(uninvited, uninvited, uninvited, undefined)],
  ['invite and domains', row(uninvited, undefined, uninvited, undefined)],
  ['closed', row(closed, closed, closed, closed)],
  ['closed and domains', row(closed, closed, closed, closed)],
]

function row(
  stranger: string | undefined,
  atDomain: string | undefined,
  atSubdomain: string | undefined,
  invited: string | undefined,
): Record<Address, string | undefined> {
  return {
    'a stranger': stranger,
    'a stranger at the domain': atDomain,
    'a stranger at a subdomain': atSubdomain,
    'an invited person': invited,
  }
}

describe.each(table)('while sign-up is %s', (policy, refusals) => {
  const cases = Object.entries(addresses).flatMap(([who, address]) =>
    Object.entries(ways).map(([way, create]) => {
      const refusal = refusals[who as Address]
      return { who, way, address, create, refusal, result: refusal ? 'none' : 'an account' }
    }),
  )
  test.each(cases)('$who gets $result by $way', async ({ way, address, create, refusal }) => {
    const email = await address()
    await setPolicy(policy)
    const refused = way === 'a provider' ? 'sign_up_refused' : `403 ${refusal}`
    expect(await create(email)).toBe(refusal && refused)
    const query = `/api/admin/users?q=${email}`
    const { body } = await request(server, 'GET', query, { token: admin.accessToken })
    expect(body.users).toHaveLength(refusal ? 0 : 1)
  })

  test('an admin imports accounts, and an identity provider creates them', async () => {
    await setPolicy(policy)
    const email = uniqueEmail()
    const imported = await importUsers(server, admin, ndjson([{ email, email_verified: true }]))
    expect(imported.body).toMatchObject({ imported: 1 })
    const user = scim.user()
    const { email: address } = (await scim.create(user)) && { email: user.userName }
    const query = `/api/admin/users?q=${address}`
    const found = await request(server, 'GET', query, { token: admin.accessToken })
    expect(found.body.users).toHaveLength(1)
  })

  test('existing accounts sign in, and a taken address is not revealed', async () => {
    await setPolicy('open')
    const email = uniqueEmail()
    expect(await ways['the sign-up endpoint']?.(email)).toBeUndefined()
    await setPolicy(policy)
    const body = { email, password: PASSWORD }
    expect((await request(server, 'POST', '/api/auth/signin', { body })).status).toBe(200)
    const refusal = refusals['a stranger']
    const again = await ways['the sign-up endpoint']?.(email)
    expect(again).toBe(refusal ? `403 ${refusal}` : '409 Email already registered')
  })

  test('a client reads the policy without a credential', async () => {
    await setPolicy(policy)
    const { SVC_SIGNUP: mode, SVC_SIGNUP_DOMAINS: domains } = policies[policy]
    const { status, body } = await request(server, 'GET', '/api/auth/signup')
    expect([status, body]).toEqual([200, { mode: mode ?? 'open', has_domains: domains !== null }])
  })
})

describe('an account whose address is not verified', () => {
  const change = async (token: string, email: string) => {
    const path = '/api/auth/change-verification-email'
    const { status, body } = await request(server, 'POST', path, { token, body: { email } })
    return status === 200 ? undefined : `${status} ${body.detail}`
  }
  const invited = async () => {
    const email = uniqueEmail()
    await invite(email)
    await setPolicy('invite')
    const { body } = await request(server, 'POST', '/api/auth/signup', { body: password(email) })
    return body.access_token as string
  }

  test('an unverified account cannot exchange an invited address for a stranger', async () => {
    const token = await invited()
    expect(await change(token, uniqueEmail())).toBe(`403 ${uninvited}`)
    await setPolicy('domains')
    expect(await change(token, uniqueEmail())).toBe(`403 ${elsewhere}`)
    await setPolicy('open')
    expect(await change(token, uniqueEmail())).toBeUndefined()
  })
})

describe('the sign-in page', () => {
  const page = async (query = '') => (await request(server, 'GET', `/api/auth/app${query}`)).text

  test.each([
    ['open', true, 'Create account'],
    ['domains', true, 'You need an address at a domain of this server, or an invitation.'],
    ['invite', true, 'You need an invitation: use the address that was invited.'],
    ['closed', false, 'This server takes no new accounts.'],
  ] as const)('while sign-up is %s, the link is offered: %p', async (policy, offers, words) => {
    await setPolicy(policy)
    expect((await page()).includes('Create an account')).toBe(offers)
    const signUp = await page('?view=signup')
    expect(signUp).toContain(words)
    expect(signUp.includes('name="confirm_password"')).toBe(offers)
  })
})

describe('the first admin of a server without sign-up', () => {
  test('signs up on the page of the claim link, and nowhere without the link', async () => {
    await using own = await startServer({ SVC_SIGNUP: 'closed' })
    const token = new URL(own.claimLink ?? '').searchParams.get('token') ?? ''
    const send = (fields: Record<string, string>) =>
      request(own, 'POST', '/api/auth/admin/claim/signup', {
        body: new URLSearchParams({ ...password(uniqueEmail()), ...fields }).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded', origin: own.baseUrl },
      })
    const open = await request(own, 'GET', `/api/auth/admin/claim?view=signup&token=${token}`)
    expect(open.text).toContain('name="confirm_password"')
    expect((await send({ token: 'x'.repeat(43) })).status).toBe(410)
    expect((await send({})).status).toBe(410)
    expect((await send({ token })).status).toBe(303)
    const elsewhereTried = await request(own, 'POST', '/api/auth/signup', {
      body: password(uniqueEmail()),
    })
    expect(elsewhereTried.status).toBe(403)
  })

  test('signs up with an address of SVC_ADMIN_EMAILS', async () => {
    const email = uniqueEmail()
    await using own = await startServer({ SVC_SIGNUP: 'closed', SVC_ADMIN_EMAILS: email })
    const statusOf = async (address: string) =>
      (await request(own, 'POST', '/api/auth/signup', { body: password(address) })).status
    expect([await statusOf(uniqueEmail()), await statusOf(email)]).toEqual([403, 201])
  })
})

test.each([
  ['SVC_SIGNUP', 'maybe', 'SVC_SIGNUP must be one of open, invite, closed'],
  ['SVC_SIGNUP_DOMAINS', 'a b', 'SVC_SIGNUP_DOMAINS must be domains of email addresses such as'],
  ['SVC_SIGNUP_DOMAINS', 'kim@example.com', 'SVC_SIGNUP_DOMAINS must be domains'],
])('%s=%s is refused', async (name, value, message) => {
  const answer = await setSettings(server, admin, { [name]: value }).catch(String)
  expect(JSON.stringify(answer)).toContain(message)
})
