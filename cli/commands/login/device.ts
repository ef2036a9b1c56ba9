import { hostname } from 'node:os'
import { ApiFailure, type Client, Unreachable } from '../../../shared/client.ts'
import { pollDeviceLogin, startDeviceLogin } from '../../../shared/contract/device.ts'
import type { DeviceLogin, DeviceLoginResult } from '../../../shared/schemas/device.ts'
import { openBrowser } from '../../browser.ts'
import { type Context, loginCommand } from '../../context.ts'
import type { Profile } from '../../credentials.ts'
import { CliError } from '../../errors.ts'
import { oneLine } from '../../output.ts'

/** The device authorization grant (RFC 8628): the person approves in a browser, anywhere. */
export const loginWithDevice = async (context: Context, browser: boolean): Promise<Profile> => {
  let refreshToken: string | undefined
  const client = context.connect({
    onRefreshToken: (token) => {
      refreshToken = token
    },
  })
  const started = await client.call(startDeviceLogin, {
    body: { client_name: `svc on ${hostname()}`.slice(0, 100), session: true },
  })
  showCode(context, started, browser)
  const { api_key, key_id, user } = await waitForDecision(context, client, started)
  if (!api_key || !key_id || !user)
    throw new CliError('The server approved, but sent no key.', `Run: ${loginCommand(context)}`)
  const profile = { url: context.url, api_key, key_id, email: user.email }
  return refreshToken ? { ...profile, refresh_token: refreshToken } : profile
}

const showCode = ({ io, environment }: Context, started: DeviceLogin, browser: boolean) => {
  const page = oneLine(started.verification_uri_complete)
  io.say(`Open   ${page}\nCode   ${oneLine(started.user_code)}`)
  if (browser && environment.browser && io.stderrIsTerminal) openBrowser(page)
  io.say('Waiting for you to approve it there …')
}

const waitForDecision = async (
  context: Context,
  client: Client,
  { device_code, interval, expires_in }: DeviceLogin,
): Promise<DeviceLoginResult> => {
  const endsAt = Date.now() + expires_in * 1000
  let seconds = interval
  while (Date.now() + seconds * 1000 < endsAt) {
    await Bun.sleep(seconds * 1000)
    const result = await poll(context, client, device_code)
    if (result?.status === 'approved') return result
    if (result?.status === 'denied')
      throw new CliError('The login was denied.', `To ask again, run: ${loginCommand(context)}`)
    // RFC 8628, 3.5: slow_down adds five seconds to this and all later waits.
    const slower = result?.status === 'slow_down' ? seconds + 5 : seconds
    seconds = Math.max(slower, result?.interval ?? 0)
  }
  throw ended(context)
}

/** @returns undefined when the server does not answer just now, which ends nothing. */
const poll = async (context: Context, client: Client, device_code: string) => {
  try {
    return await client.call(pollDeviceLogin, { body: { device_code } })
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 410) throw ended(context)
    const passing =
      error instanceof Unreachable || (error instanceof ApiFailure && error.status >= 500)
    if (!passing) throw error
    context.io.say(`No answer from ${context.url}; still trying …`)
    return undefined
  }
}

const ended = (context: Context) =>
  new CliError('The code has expired or was used already.', `Run: ${loginCommand(context)}`)
