import { hostname } from 'node:os'
import { ApiFailure, type Client, Unreachable } from '../../../shared/client.ts'
import {
  type DeviceLogin,
  type DeviceLoginResult,
  pollDeviceLogin,
  startDeviceLogin,
} from '../../../shared/contract/device.ts'
import { type Context, loginCommand } from '../../context.ts'
import type { CliProfile } from '../../credentials.ts'
import { CliError } from '../../errors.ts'
import { oneLine } from '../../output.ts'
import { openBrowser } from '../../programs.ts'

/** Signs in with the device authorization grant (RFC 8628). */
export const loginWithDevice = async (context: Context, browser: boolean): Promise<CliProfile> => {
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
    throw new CliError(
      'The server approved the login, but returned no key.',
      `Run: ${loginCommand(context)}`,
    )
  const profile = { url: context.url, api_key, key_id, email: user.email }
  return refreshToken ? { ...profile, refresh_token: refreshToken } : profile
}

const showCode = ({ io, environment }: Context, started: DeviceLogin, browser: boolean) => {
  const page = oneLine(started.verification_uri_complete)
  io.message(`Open   ${page}\nCode   ${oneLine(started.user_code)}`)
  if (browser && environment.browser && io.stderrIsTerminal) openBrowser(page, io.runtime)
  io.message('Waiting for approval in the browser …')
}

const waitForDecision = async (
  context: Context,
  client: Client,
  { device_code, interval, expires_in }: DeviceLogin,
): Promise<DeviceLoginResult> => {
  const { clock } = context.io.runtime
  const endsAt = clock.now() + expires_in * 1000
  let seconds = interval
  while (clock.now() + seconds * 1000 < endsAt) {
    await clock.sleep(seconds * 1000)
    const result = await poll(context, client, device_code)
    if (result?.status === 'approved') return result
    if (result?.status === 'denied')
      throw new CliError('The login was denied.', `To try again, run: ${loginCommand(context)}`)
    // RFC 8628, section 3.5: slow_down adds five seconds to all later intervals.
    const slower = result?.status === 'slow_down' ? seconds + 5 : seconds
    seconds = Math.max(slower, result?.interval ?? 0)
  }
  throw codeExpiredError(context)
}

/** @returns undefined if the server is temporarily unavailable. */
const poll = async (context: Context, client: Client, device_code: string) => {
  try {
    return await client.call(pollDeviceLogin, { body: { device_code } })
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 410) throw codeExpiredError(context)
    const isTemporary =
      error instanceof Unreachable || (error instanceof ApiFailure && error.status >= 500)
    if (!isTemporary) throw error
    context.io.message(`No answer from ${context.url}; retrying …`)
    return undefined
  }
}

const codeExpiredError = (context: Context) =>
  new CliError('The code has expired or was already used.', `Run: ${loginCommand(context)}`)
