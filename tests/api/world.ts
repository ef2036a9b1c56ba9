import { claimAdmin } from '../admin/support.ts'
import { startStripeServer } from '../billing/stripe-server.ts'
import { STRIPE } from '../billing/support.ts'
import { startDns } from '../harness/dns.ts'
import { newVerifiedUser } from '../harness/http.ts'
import { startGithub } from '../harness/oauth-provider.ts'
import { startScriptedOpenId } from '../harness/scripted-openid.ts'
import {
  type Answer,
  newUser,
  request,
  startServer,
  type TestServer,
  type TestUser,
} from '../harness/server.ts'
import { startTranscriptionServer } from '../harness/transcription-server.ts'
import { startUpstream } from '../harness/upstream.ts'
import { startWeb } from '../harness/web.ts'

/** The origin in the examples of the contract. */
export const APP = 'https://app.example.com'

/** A server with a fake of each service that it can use. */
export const startWorld = async () => {
  const stack = new AsyncDisposableStack()
  const stripe = stack.use(startStripeServer())
  const transcription = stack.use(startTranscriptionServer())
  const models = stack.use(await startUpstream())
  const github = stack.use(startGithub())
  const openId = stack.use(await startScriptedOpenId())
  const web = stack.use(await startWeb())
  const dns = stack.use(await startDns())
  const env = {
    ...STRIPE,
    ...github.env,
    ...openId.env('WORK'),
    SVC_STRIPE_SECRET_KEY: 'sk_test_a_key_of_stripe',
    SVC_STRIPE_API_BASE: stripe.url,
    SVC_TRANSCRIBE_URL: transcription.url,
    SVC_OPENAI_BASE_URL: `${models.url}/v1`,
    SVC_OPENAI_MODEL: 'a-model',
    SVC_ANTHROPIC_BASE_URL: models.url,
    SVC_FRONTEND_ORIGINS: APP,
  }
  const server = stack.use(
    await startServer(env, undefined, {
      fetching: { ...web.fetching, nameServers: [dns.address] },
    }),
  )
  /** The first account, which may verify its address without a link. */
  const first = await newUser(server)
  const admin = await newVerifiedUser(server)
  await claimAdmin(server, admin)
  return {
    server,
    first,
    admin,
    github,
    openId,
    web,
    dns,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

export type World = Awaited<ReturnType<typeof startWorld>>

/** The user who sends an example, and requests that create what it needs. */
export interface Sender {
  world: World
  server: TestServer
  user: TestUser
  /** Sends JSON as the user with the access token. @throws unless the status is 2xx. */
  send(method: string, path: string, body?: unknown): Promise<Answer['body']>
}

export const senderOf = (world: World, user: TestUser): Sender => ({
  world,
  server: world.server,
  user,
  async send(method, path, body) {
    const answer = await request(world.server, method, path, {
      token: user.accessToken,
      ...(body !== undefined && { body }),
    })
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
    return answer.body
  },
})
