import { ALL_SCOPES, registerApp, signInTo } from '../account/openid-provider-support.ts'
import { request } from '../harness/server.ts'
import type { Prepare } from './prepare.ts'

/** An app of an admin. */
export const managedClient: Prepare = async ({ world }) => ({
  values: { client_id: (await registerApp(world.server, world.admin)).id },
})

/** An app with tokens of the user. */
export const signedInApp: Prepare = async ({ world, user }) => {
  const app = await registerApp(world.server, world.admin)
  const tokens = await signInTo(world.server, app, user, { scope: ALL_SCOPES })
  const basic = Buffer.from(`${app.id}:${app.secret}`).toString('base64')
  return {
    values: { token: tokens.access_token },
    headers: { authorization: `Basic ${basic}` },
  }
}

export const withConsent: Prepare = async (sender) => {
  await signedInApp(sender)
  const { server, user } = sender
  const { body } = await request(server, 'GET', '/api/auth/consents', { token: user.accessToken })
  return { values: { consent_id: body[0].id } }
}

export const appToken: Prepare = async (sender) => {
  const { values = {} } = await signedInApp(sender)
  return { headers: { authorization: `Bearer ${values.token}` } }
}
