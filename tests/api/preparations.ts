import sharp from 'sharp'
import { createAuthenticator } from '../harness/authenticator.ts'
import { eventually } from '../harness/eventually.ts'
import { newVerifiedUser } from '../harness/http.ts'
import { newUser, request } from '../harness/server.ts'
import { letIn, register } from '../mcp/oauth-support.ts'
import { createOrg, fixtureFor, formOf } from './fixtures.ts'
import { passkeyResponse, withPasskey } from './passkeys.ts'
import {
  callbackOf,
  changeOfEmail,
  codeOf,
  enableMfa,
  invited,
  mailedToken,
  oauthClient,
  type Prepare,
  paid,
  startDeviceLogin,
  stripeEvent,
  unverified,
  withAnswer,
  withConfirmation,
  withInvite,
  withMember,
  withRecoveryCode,
  withShare,
  withWebhook,
} from './prepare.ts'
import { appToken, managedClient, signedInApp, withConsent } from './prepare-apps.ts'
import { scimPreparations } from './prepare-scim.ts'
import { APP, senderOf } from './world.ts'

const captureExample = {
  client: 'codex',
  session: 's1',
  channel: 'hook',
  messages: [{ turn: '1', role: 'user', content: 'We deploy to Hetzner.' }],
}

/** Creates the rows that an example needs beyond those of its parameters, by the name of the endpoint. */
const EVENTS_URL = 'https://1.1.1.1/events'

/** A webhook of the events of the server, or of an organization, with a delivery. */
const eventWebhook =
  (isOfServer: boolean): Prepare =>
  async (sender) => {
    const org_id = isOfServer ? undefined : await createOrg(sender)
    const path = org_id ? `/api/orgs/${org_id}/webhooks` : '/api/admin/webhooks'
    const { webhook_id } = await sender.send('POST', path, { url: EVENTS_URL })
    const { event_id } = await sender.send('POST', `${path}/${webhook_id}/test`)
    return { values: { org_id, webhook_id, event_id, url: EVENTS_URL } }
  }

const eventWebhooks = Object.fromEntries(
  ['Server', 'Org'].flatMap((name) =>
    [
      ...[`update${name}Webhook`, `delete${name}Webhook`, `renew${name}WebhookSecret`],
      ...[`test${name}Webhook`, `list${name}Deliveries`, `replay${name}Delivery`],
      ...[`replay${name}Deliveries`, `create${name}Webhook`],
    ].map((row) => [row, eventWebhook(name === 'Server')]),
  ),
)

/** A domain of an organization, with its DNS record. */
const withDomain: Prepare = async (sender) => {
  const org_id = await createOrg(sender)
  const domain = await sender.send('POST', `/api/orgs/${org_id}/domains`, { domain: 'acme.test' })
  sender.world.dns.setText(domain.domain, domain.record.value)
  return { values: { org_id, domain_id: domain.id } }
}

export const preparations: Record<string, Prepare> = {
  ...eventWebhooks,
  ...scimPreparations,
  getActivity: async ({ send }) => {
    await send('POST', '/api/recall', { query: 'Where do we deploy?' })
    const list = () => send('GET', '/api/events')
    return eventually(async () => {
      const [event] = (await list()).events
      return event && { values: { event_id: event.id } }
    })
  },
  signIn: async ({ user }) => ({ values: { email: user.email } }),
  signInWithCode: async ({ server, user, send }) => {
    const { attempt_token } = await send('POST', '/api/auth/code', { email: user.email })
    const mail = await server.noticed(
      new RegExp(`^Mail to ${user.email} [^]*code/link\\?code=\\d{6}`),
    )
    const code = /code\/link\?code=(\d{6})/.exec(mail)?.[1]
    return { values: { attempt_token, code } }
  },
  verifyMfa: async (sender) => {
    const code = await enableMfa(sender)
    const { email } = sender.user
    const password = 'correct horse battery staple'
    const signIn = await sender.send('POST', '/api/auth/signin', { email, password })
    return { values: { code, partial_token: signIn.partial_token } }
  },
  addPasskey: async ({ server, send }) => {
    const authenticator = await createAuthenticator(new URL(server.baseUrl).origin)
    const { options } = await send('POST', '/api/auth/passkeys/options')
    return { values: { response: await authenticator.register(options) } }
  },
  signInWithPasskey: async (sender) => ({ values: { response: await passkeyResponse(sender) } }),
  verifyPasskey: async (sender) => {
    const response = await passkeyResponse(sender)
    await enableMfa(sender)
    const { email } = sender.user
    const password = 'correct horse battery staple'
    const { partial_token } = await sender.send('POST', '/api/auth/signin', { email, password })
    return { values: { partial_token, response } }
  },
  removePassword: async (sender) => {
    await withPasskey(sender)
    await enableMfa(sender)
    return {}
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
  confirmEmailChange: async (sender) => {
    const { token } = await changeOfEmail(sender)
    return { values: { token } }
  },
  undoEmailChange: async (sender) => {
    const { sender: changed, token } = await changeOfEmail(sender)
    await changed.send('POST', '/api/auth/email/confirm', { token })
    return { values: { token: await mailedToken(sender, changed.user.email, 'email/undo') } }
  },
  verifyHere: async ({ world }) => ({ sender: senderOf(world, world.first) }),
  updateApp: async ({ server, user }) => {
    await letIn(server, user)
    const { body } = await request(server, 'GET', '/api/auth/apps', { token: user.accessToken })
    return { values: { session_id: body[0].session_id } }
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
  backchannelLogout: async ({ world }) => ({
    values: { provider: 'work', logout_token: await world.openId.logoutToken({ sub: 'someone' }) },
  }),
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
  verifyOrgDomain: withDomain,
  updateOrgDomain: withDomain,
  deleteOrgDomain: withDomain,
  declineInvite: withInvite,
  acceptInvite: invited,
  portal: paid,
  paymentsWebhook: stripeEvent,
  stripeWebhook: stripeEvent,
  importMemories: async () => ({
    body: '{"content_text": "Ada likes tea."}',
    headers: { 'content-type': 'application/x-ndjson' },
  }),
  importUsers: async () => ({
    body: '{"email": "ada@example.org", "email_verified": true}',
    headers: { 'content-type': 'application/x-ndjson' },
  }),
  mergeProject: async ({ send }) => {
    await send('POST', '/api/remember', { content: 'We use pnpm.', project: 'acme/shop' })
    return {}
  },
  deleteCapture: async ({ send }) => {
    await send('POST', '/api/captures', captureExample)
    return { values: { client: captureExample.client, session: captureExample.session } }
  },
  restoreCapture: async ({ send }) => {
    await send('POST', '/api/captures', captureExample)
    const { client, session } = captureExample
    await send('DELETE', `/api/captures?${new URLSearchParams({ client, session })}`)
    return { values: { client, session } }
  },
  restoreMemory: async (sender) => {
    const memory_id = await fixtureFor('', 'memory_id')?.(sender)
    await sender.send('DELETE', `/api/memories/${memory_id}`)
    return { values: { memory_id } }
  },
  deleteView: async ({ send }) => {
    await send('PUT', '/api/views/Work', { query: { tag: 'work' } })
    return { values: { name: 'Work' } }
  },
  removeFeedback: async (sender) => {
    const memory_id = await fixtureFor('', 'memory_id')?.(sender)
    const question = 'What does Ada drink?'
    const { feedback_id } = await sender.send('POST', `/api/memories/${memory_id}/feedback`, {
      question,
    })
    return { values: { memory_id, feedback_id } }
  },
  getMessageContext: withAnswer,
  branchChatSession: withAnswer,
  resolveConflict: async ({ send }) => {
    for (const city of ['Porto', 'Lisbon'])
      await send('POST', '/api/remember', { content: `My name is Ada and I live in ${city}.` })
    await eventually(async () => (await send('GET', '/api/identity/conflicts')).conflicts[0])
    return {}
  },
  giveFeedback: async ({ send }) => {
    await send('POST', '/api/remember', {
      content: 'Remind me in 1 second to call Ada.',
      occurred_at: new Date(Date.now() - 60_000).toISOString(),
    })
    const intent = await eventually(async () => (await send('GET', '/api/proactive/intents'))[0])
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
    await eventually(
      async () => (await request(server, 'GET', '/api/health/detail')).status === 200,
    )
    return {}
  },
  mcp: async () => ({ headers: { accept: 'application/json, text/event-stream' } }),
  authorizeOAuthClient: async ({ server, user }) => ({
    values: { client_id: await register(server, { redirect_uris: ['http://127.0.0.1/callback'] }) },
    headers: { cookie: `refresh_token=${user.refreshToken}` },
  }),
  issueTokens: oauthClient,
  revokeToken: oauthClient,
  revokeConsent: withConsent,
  updateManagedClient: managedClient,
  deleteManagedClient: managedClient,
  rotateClientSecret: managedClient,
  introspectToken: signedInApp,
  userInfo: appToken,
  userInfoByPost: appToken,
}
