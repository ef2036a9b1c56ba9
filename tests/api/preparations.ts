import { Secret, TOTP } from 'otpauth'
import sharp from 'sharp'
import { creditsBought, deliver, subscriptionOf } from '../billing/support.ts'
import { newVerifiedUser } from '../harness/http.ts'
import { person } from '../harness/oauth-provider.ts'
import { newUser, request } from '../harness/server.ts'
import { letIn, register } from '../mcp/oauth-support.ts'
import { createOrg, fixtureFor, formOf, startChat } from './fixtures.ts'
import { APP, type Sender, senderOf, until } from './world.ts'

/** Replacements for parts of an example: ids, codes and tokens that exist only after other requests. */
export interface Preparation {
  /** Values of parameters and fields by name. */
  values?: Record<string, unknown>
  headers?: Record<string, string>
  /** Replaces the JSON body. */
  body?: string | FormData
  /** Sends the request as another user. */
  sender?: Sender
}

export type Prepare = (sender: Sender) => Promise<Preparation>

/** The token of the last link of a kind that was mailed to a user. */
const mailedToken = async ({ server }: Sender, email: string, page: string): Promise<string> => {
  const mail = await server.noticed(new RegExp(`^Mail to ${email} [^]*/${page}\\?token=`))
  return new RegExp(`/${page}\\?token=([\\w-]+)`).exec(mail)?.[1] ?? ''
}

const codeOf = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret) }).generate()

/** Turns on a second factor. @returns a recovery code. */
const enableMfa = async ({ send }: Sender): Promise<string> => {
  const { secret } = await send('POST', '/api/auth/mfa/setup')
  const { recovery_codes } = await send('POST', '/api/auth/mfa/enable', { code: codeOf(secret) })
  return recovery_codes[0]
}

const withRecoveryCode: Prepare = async (sender) => ({ values: { code: await enableMfa(sender) } })

const unverified: Prepare = async ({ world }) => ({
  sender: senderOf(world, await newUser(world.server)),
})

const startDeviceLogin: Prepare = async ({ send }) => ({
  values: await send('POST', '/api/auth/mcp/start', {}),
})

/** An organization with an invite for a new user, who is the sender of the result. */
const invited: Prepare = async (sender) => {
  const { world, send } = sender
  const guest = await newVerifiedUser(world.server)
  const org_id = await createOrg(sender)
  const invite = await send('POST', `/api/orgs/${org_id}/invites`, { email: guest.email })
  const token = new URL(invite.invite_url).searchParams.get('token')
  return { values: { org_id, token, invite_id: invite.id }, sender: senderOf(world, guest) }
}

const withInvite: Prepare = async (sender) => ({ values: (await invited(sender)).values ?? {} })

const withMember: Prepare = async (owner) => {
  const { values = {}, sender } = await invited(owner)
  await sender?.send('POST', '/api/invites/accept', { token: values.token })
  return { values: { org_id: values.org_id, user_id: sender?.user.id } }
}

/** Signs in through the provider with the address of the user, which connects the account. */
const callbackOf = async ({ server, world, user }: Sender) => {
  const start = await request(server, 'GET', '/api/auth/oauth/github/authorize')
  const cookie = start.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const url = await world.github.agree(start.body.authorize_url, person({ email: user.email }))
  return { url, cookie }
}

const withConfirmation: Prepare = async ({ send }) => {
  await send('POST', '/api/reflexes', {
    name: 'Too hot',
    trigger: { type: 'signal' },
    action: { type: 'notify', channel: 'inbox', text: 'It is hot.' },
    confirm: true,
  })
  const { device_id } = await send('POST', '/api/senses/devices', { device_name: 'Greenhouse' })
  const signal = { signal_type: 'number', value: 31 }
  await send('POST', `/api/senses/devices/${device_id}/signals`, signal)
  const waiting = await until(async () => (await send('GET', '/api/reflexes/confirmations'))[0])
  return { values: { intent_id: waiting.intent_id } }
}

const withWebhook: Prepare = async ({ world, user, send }) => {
  const path = `/api/admin/users/${user.id}/tier`
  await senderOf(world, world.admin).send('PUT', path, { tier: 'awakened' })
  const { reflex_id } = await send('POST', '/api/reflexes', {
    name: 'Too hot',
    trigger: { type: 'signal' },
    action: { type: 'webhook', url: `http://${world.web.site(() => new Response())}/` },
  })
  return { values: { reflex_id } }
}

const withShare: Prepare = async (sender) => {
  const session_id = await startChat(sender)
  return { values: await sender.send('POST', '/api/shares', { session_id }) }
}

const paid: Prepare = async ({ server, user }) => {
  const subscription = subscriptionOf(user)
  await deliver(server, subscription.checkedOut(1))
  await deliver(server, subscription.updated(2, 'active'))
  return {}
}

/** A signed event of Stripe. */
const stripeEvent: Prepare = async ({ user }) => {
  const { default: Stripe } = await import('stripe')
  const payload = JSON.stringify(creditsBought(user, 10))
  const secret = 'whsec_a_secret_that_signs_in_tests'
  const header = await Stripe.webhooks.generateTestHeaderStringAsync({ payload, secret })
  return { body: payload, headers: { 'stripe-signature': header } }
}

const oauthClient: Prepare = async ({ server, user }) => {
  const { clientId, access, refresh } = await letIn(server, user)
  return { values: { client_id: clientId, token: access, refresh_token: refresh } }
}

export const preparations: Record<string, Prepare> = {
  signIn: async ({ user }) => ({ values: { email: user.email } }),
  verifyMfa: async (sender) => {
    const code = await enableMfa(sender)
    const { email } = sender.user
    const password = 'correct horse battery staple'
    const signIn = await sender.send('POST', '/api/auth/signin', { email, password })
    return { values: { code, partial_token: signIn.partial_token } }
  },
  enableMfa: async ({ send }) => ({
    values: { code: codeOf((await send('POST', '/api/auth/mfa/setup')).secret) },
  }),
  disableMfa: withRecoveryCode,
  renewRecoveryCodes: withRecoveryCode,
  resetPassword: async (sender) => {
    const { email } = sender.user
    await sender.send('POST', '/api/auth/forgot-password', { email })
    return { values: { token: await mailedToken(sender, email, 'reset') } }
  },
  verifyEmail: async (sender) => {
    const { email } = await newUser(sender.server)
    return { values: { token: await mailedToken(sender, email, 'verify') } }
  },
  resendVerification: unverified,
  changeVerificationEmail: unverified,
  pollDeviceLogin: startDeviceLogin,
  pendingDeviceLogin: startDeviceLogin,
  decideDeviceLogin: startDeviceLogin,
  exchangeHandoff: async ({ server, user }) => {
    const options = { cookie: user.refreshToken, body: { target_origin: APP } }
    const minted = await request(server, 'POST', '/api/auth/handoff/mint', options)
    return { values: { token: minted.body.token }, headers: { origin: APP } }
  },
  oauthCallback: async (sender) => {
    const { url, cookie } = await callbackOf(sender)
    return { values: Object.fromEntries(url.searchParams), headers: { cookie } }
  },
  disconnectOAuth: async (sender) => {
    const { url, cookie } = await callbackOf(sender)
    const path = `${url.pathname}${url.search}`
    await request(sender.server, 'GET', path, { headers: { cookie } })
    return {}
  },
  uploadAvatar: async () => {
    const create = { width: 8, height: 8, channels: 3, background: '#0a7' } as const
    const png = await sharp({ create }).png().toBuffer()
    return { body: formOf(new Uint8Array(png), 'image/png', 'me.png') }
  },
  changeOrgRole: withMember,
  removeOrgMember: withMember,
  withdrawInvite: withInvite,
  declineInvite: withInvite,
  acceptInvite: invited,
  portal: paid,
  paymentsWebhook: stripeEvent,
  stripeWebhook: stripeEvent,
  importMemories: async () => ({
    body: '{"content_text": "Ada likes tea."}',
    headers: { 'content-type': 'application/x-ndjson' },
  }),
  restoreMemory: async (sender) => {
    const memory_id = await fixtureFor('', 'memory_id')?.(sender)
    await sender.send('DELETE', `/api/memories/${memory_id}`)
    return { values: { memory_id } }
  },
  resolveConflict: async ({ send }) => {
    for (const city of ['Porto', 'Lisbon'])
      await send('POST', '/api/remember', { content: `My name is Ada and I live in ${city}.` })
    await until(async () => (await send('GET', '/api/identity/conflicts')).conflicts[0])
    return {}
  },
  giveFeedback: async ({ send }) => {
    await send('POST', '/api/remember', { content: 'Remind me in 1 second to call Ada.' })
    const intent = await until(async () => (await send('GET', '/api/proactive/intents'))[0])
    return { values: { intent_id: intent.intent_id } }
  },
  renewWebhookSecret: withWebhook,
  decideConfirmation: withConfirmation,
  uploadFile: async () => ({ body: formOf('Ada likes tea.', 'text/plain', 'notes.txt') }),
  transcribe: async () => ({ body: formOf('RIFF\0\0\0\0WAVEfmt ', 'audio/wav', 'hello.wav') }),
  readUrl: async ({ world }) => ({
    values: { url: `http://${world.web.site(() => new Response('The train leaves at nine.'))}/` },
  }),
  startDirectThread: async ({ world, server }) => {
    const peer = await newVerifiedUser(world.server)
    const { body } = await request(server, 'GET', '/api/profile', { token: peer.key })
    return { values: { username: body.username } }
  },
  getShare: withShare,
  deleteShare: withShare,
  healthDetail: async ({ server }) => {
    await until(async () => (await request(server, 'GET', '/api/health/detail')).status === 200)
    return {}
  },
  mcp: async () => ({ headers: { accept: 'application/json, text/event-stream' } }),
  authorizeOAuthClient: async ({ server, user }) => ({
    values: { client_id: await register(server, { redirect_uris: ['http://127.0.0.1/callback'] }) },
    headers: { cookie: `refresh_token=${user.refreshToken}` },
  }),
  issueTokens: oauthClient,
  revokeToken: oauthClient,
}
