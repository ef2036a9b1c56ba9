import { Secret, TOTP } from 'otpauth'
import Stripe from 'stripe'
import { creditsBought, deliver, subscriptionOf, WEBHOOK_SECRET } from '../billing/support.ts'
import { eventually } from '../harness/eventually.ts'
import { newVerifiedUser } from '../harness/http.ts'
import { person } from '../harness/oauth-provider.ts'
import { newUser, request, uniqueEmail } from '../harness/server.ts'
import { letIn } from '../mcp/oauth-support.ts'
import { createOrg, startChat } from './fixtures.ts'
import { type Sender, senderOf } from './world.ts'

/** Replaces parts of an example: ids, codes and tokens that exist only after other requests. */
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
export const mailedToken = async (
  { server }: Sender,
  email: string,
  page: string,
): Promise<string> => {
  const mail = await server.noticed(new RegExp(`^Mail to ${email} [^]*/${page}\\?token=`))
  return new RegExp(`/${page}\\?token=([\\w-]+)`).exec(mail)?.[1] ?? ''
}

/** A user who asked for a change of the address, and the token that was mailed to the new one. */
export const changeOfEmail = async ({ world, server }: Sender) => {
  const sender = senderOf(world, await newVerifiedUser(server))
  const email = uniqueEmail()
  const body = { email, password: 'correct horse battery staple' }
  await sender.send('POST', '/api/auth/email/change', body)
  return { sender, token: await mailedToken(sender, email, 'email/change') }
}

export const codeOf = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret) }).generate()

/** Turns on a second factor. @returns a recovery code. */
export const enableMfa = async ({ send }: Pick<Sender, 'send'>): Promise<string> => {
  const { secret } = await send('POST', '/api/auth/mfa/setup')
  const { recovery_codes } = await send('POST', '/api/auth/mfa/enable', { code: codeOf(secret) })
  return recovery_codes[0]
}

export const withRecoveryCode: Prepare = async (sender) => ({
  values: { code: await enableMfa(sender) },
})

export const unverified: Prepare = async ({ world }) => ({
  sender: senderOf(world, await newUser(world.server)),
})

export const startDeviceLogin: Prepare = async ({ send }) => ({
  values: await send('POST', '/api/auth/mcp/start', {}),
})

/** An organization with an invite for a new user, who is the sender of the result. */
export const invited: Prepare = async (sender) => {
  const { world, send } = sender
  const guest = await newVerifiedUser(world.server)
  const org_id = await createOrg(sender)
  const invite = await send('POST', `/api/orgs/${org_id}/invites`, { email: guest.email })
  const token = new URL(invite.invite_url).searchParams.get('token')
  return { values: { org_id, token, invite_id: invite.id }, sender: senderOf(world, guest) }
}

export const withInvite: Prepare = async (sender) => ({
  values: (await invited(sender)).values ?? {},
})

export const withMember: Prepare = async (owner) => {
  const { values = {}, sender } = await invited(owner)
  await sender?.send('POST', '/api/invites/accept', { token: values.token })
  return { values: { org_id: values.org_id, user_id: sender?.user.id } }
}

/** Signs in through the provider with the address of the user, which connects the account. */
export const callbackOf = async ({ server, world, user }: Sender) => {
  const start = await request(server, 'GET', '/api/auth/oauth/github/authorize')
  const cookie = start.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const url = await world.github.agree(start.body.authorize_url, person({ email: user.email }))
  return { url, cookie }
}

export const withConfirmation: Prepare = async ({ send }) => {
  await send('POST', '/api/reflexes', {
    name: 'Too hot',
    trigger: { type: 'signal' },
    action: { type: 'notify', channel: 'inbox', text: 'It is hot.' },
    confirm: true,
  })
  const { device_id } = await send('POST', '/api/senses/devices', { device_name: 'Greenhouse' })
  const signal = { signal_type: 'number', value: 31 }
  await send('POST', `/api/senses/devices/${device_id}/signals`, signal)
  const waiting = await eventually(
    async () => (await send('GET', '/api/reflexes/confirmations'))[0],
  )
  return { values: { intent_id: waiting.intent_id } }
}

export const withWebhook: Prepare = async ({ world, user, send }) => {
  const path = `/api/admin/users/${user.id}/tier`
  await senderOf(world, world.admin).send('PUT', path, { tier: 'awakened' })
  const { reflex_id } = await send('POST', '/api/reflexes', {
    name: 'Too hot',
    trigger: { type: 'signal' },
    action: { type: 'webhook', url: `http://${world.web.site(() => new Response())}/` },
  })
  return { values: { reflex_id } }
}

/** A chat session with an answer of a model. */
export const withAnswer: Prepare = async ({ send }) => {
  const { session_id, message } = await send('POST', '/api/chat', { message: 'Hello' })
  return { values: { session_id, message_id: message.id } }
}

export const withShare: Prepare = async (sender) => {
  const session_id = await startChat(sender)
  return { values: await sender.send('POST', '/api/shares', { session_id }) }
}

export const paid: Prepare = async ({ server, user }) => {
  const subscription = subscriptionOf(user)
  await deliver(server, subscription.checkedOut(1))
  await deliver(server, subscription.updated(2, 'active'))
  return {}
}

/** A signed event of Stripe. */
export const stripeEvent: Prepare = async ({ user }) => {
  const payload = JSON.stringify(creditsBought(user, 10))
  const header = await Stripe.webhooks.generateTestHeaderStringAsync({
    payload,
    secret: WEBHOOK_SECRET,
  })
  return { body: payload, headers: { 'stripe-signature': header } }
}

export const oauthClient: Prepare = async ({ server, user }) => {
  const { clientId, access, refresh } = await letIn(server, user)
  return { values: { client_id: clientId, token: access, refresh_token: refresh } }
}
