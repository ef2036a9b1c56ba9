import manifest from '../../../package.json' with { type: 'json' }
import { ApiFailure, type Client, createClient, NotSvc } from '../../../shared/client.ts'
import { type HealthDetail, health, healthDetail } from '../../../shared/contract/health.ts'
import { proxyVariable, throughProxy } from '../../../shared/proxies.ts'
import { proxyHint } from '../../api-errors.ts'
import type { Context } from '../../context.ts'
import { oneLine } from '../../output.ts'
import { type Check, failed, ok, warning } from './check.ts'

/** A larger difference makes times of events misleading. */
const MAX_CLOCK_SKEW_SECONDS = 60

/** Checks that the server responds as svc, its version, its parts and its clock. */
export const checkServer = async ({ io, url, sources }: Context): Promise<Check[]> => {
  let headers: Headers | undefined
  const client = createClient({
    baseUrl: url,
    timeoutMs: 10_000,
    userAgent: 'svc-cli',
    onHeaders: (sent) => {
      headers = sent
    },
  })
  const startedAt = performance.now()
  try {
    await client.call(health)
  } catch (error) {
    return [failed('server', describeFailure(error, url), hintFor(error, url))]
  }
  const tookMs = Math.round(performance.now() - startedAt)
  const answers = ok(
    'server',
    `${url} responds in ${tookMs} ms; the address is from ${sources.url}`,
  )
  const report = await getHealthReport(client)
  if (typeof report?.version !== 'string')
    return [failed('server', `${url} responds, but is not svc`, SET_URL)]
  return [answers, ...checkReport(report), ...checkClock(headers, io.runtime.clock.now())]
}

const describeFailure = (error: unknown, url: string): string => {
  if (!(error instanceof ApiFailure))
    return oneLine(error instanceof Error ? error.message : `${error}`)
  const { status } = error
  const proxy = throughProxy(proxyVariable(new URL(url)))
  return `${url} returns ${status}${proxy}${status < 500 ? ', so it is not svc' : ''}`
}

const SET_URL = 'Set the address of svc with --url or: svc config set url URL'

const hintFor = (error: unknown, url: string): string => {
  const proxy = proxyVariable(new URL(url))
  if (proxy) return proxyHint(proxy)
  if (error instanceof ApiFailure && error.status >= 500)
    return 'Check the log of the server, or of the proxy in front of it.'
  return error instanceof NotSvc || error instanceof ApiFailure
    ? SET_URL
    : 'To start it, run: svc serve. For another one, use --url or: svc config set url URL'
}

/** The report of a server, also of one that is not ready. */
export const getHealthReport = (client: Client): Promise<HealthDetail | undefined> =>
  client.call(healthDetail).catch(readHealthReport)

/** A server that is not ready returns the report in the body of a 503. */
const readHealthReport = (error: unknown): HealthDetail | undefined => {
  const isReport = error instanceof ApiFailure && typeof error.detail === 'object'
  return isReport ? (error.detail as HealthDetail) : undefined
}

const checkReport = ({ version, parts }: HealthDetail): Check[] => [
  version === manifest.version
    ? ok('version', `${oneLine(version)}, same as this svc`)
    : warning(
        'version',
        `The server has version ${oneLine(version)}, this svc ${manifest.version}`,
        'Update the older one.',
      ),
  ...Object.entries(parts).map(([name, { state, note, action }]) => {
    const text = oneLine(`${name} is ${state}${note ? `: ${note}` : ''}`)
    if (state === 'ok') return ok('part', text)
    if (state === 'warming')
      return warning('part', text, oneLine(action ?? 'Wait a moment, then run again: svc doctor'))
    return failed('part', text, oneLine(action ?? 'Check the log of the server.'))
  }),
]

const checkClock = (headers: Headers | undefined, now: number): Check[] => {
  const serverTime = Date.parse(headers?.get('date') ?? '')
  if (Number.isNaN(serverTime)) return []
  const seconds = Math.round(Math.abs(now - serverTime) / 1000)
  return seconds <= MAX_CLOCK_SKEW_SECONDS
    ? [ok('clock', 'matches the clock of the server')]
    : [
        warning(
          'clock',
          `differs from the clock of the server by ${seconds} seconds`,
          'Correct the wrong clock.',
        ),
      ]
}
