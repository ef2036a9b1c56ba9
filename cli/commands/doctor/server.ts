import manifest from '../../../package.json' with { type: 'json' }
import { ApiFailure, createClient, NotSvc } from '../../../shared/client.ts'
import { health, healthDetail } from '../../../shared/contract/system.ts'
import type { HealthDetail } from '../../../shared/schemas/system.ts'
import type { Context } from '../../context.ts'
import { oneLine } from '../../output.ts'
import { type Check, failed, ok, warning } from './check.ts'

/** Beyond this, what happened when is told wrongly. */
const MOST_SKEW_SECONDS = 60

/** Looks whether the server answers, as what, and what it says of itself. */
export const checkServer = async ({ url, from }: Context): Promise<Check[]> => {
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
    return [failed('server', unanswered(error, url), nextFor(error))]
  }
  const tookMs = Math.round(performance.now() - startedAt)
  const answers = ok('server', `${url} answers in ${tookMs} ms; the address is from ${from.url}`)
  const report = await client.call(healthDetail).catch(reportIn)
  if (typeof report?.version !== 'string')
    return [failed('server', `${url} answers, but not as svc does`, NAME_ANOTHER)]
  return [answers, ...checkReport(report), ...checkClock(headers)]
}

const unanswered = (error: unknown, url: string): string => {
  if (!(error instanceof ApiFailure))
    return oneLine(error instanceof Error ? error.message : `${error}`)
  const { status } = error
  return `${url} answers ${status}${status < 500 ? ', so it is not svc' : ''}`
}

const NAME_ANOTHER = 'Name the address of svc with --url or: svc config set url URL'

const nextFor = (error: unknown): string => {
  if (error instanceof ApiFailure && error.status >= 500)
    return 'Its log says why, or that of the proxy before it.'
  return error instanceof NotSvc || error instanceof ApiFailure
    ? NAME_ANOTHER
    : 'Start it with npm start, or name another with --url or: svc config set url URL'
}

/** What is not ready is told in the body of a 503. */
const reportIn = (error: unknown): HealthDetail | undefined => {
  const isReport = error instanceof ApiFailure && typeof error.detail === 'object'
  return isReport ? (error.detail as HealthDetail) : undefined
}

const checkReport = ({ version, parts }: HealthDetail): Check[] => [
  version === manifest.version
    ? ok('version', `${oneLine(version)}, as this svc`)
    : warning(
        'version',
        `The server is ${oneLine(version)}, this svc is ${manifest.version}`,
        'Update the older one.',
      ),
  ...Object.entries(parts).map(([name, { state, note }]) => {
    const said = oneLine(`${name} is ${state}${note ? `: ${note}` : ''}`)
    if (state === 'ok') return ok('part', said)
    if (state === 'warming') return warning('part', said, 'Wait a moment, and run it again.')
    return failed('part', said, "The server's log says why.")
  }),
]

const checkClock = (headers: Headers | undefined): Check[] => {
  const theirs = Date.parse(headers?.get('date') ?? '')
  if (Number.isNaN(theirs)) return []
  const seconds = Math.round(Math.abs(Date.now() - theirs) / 1000)
  return seconds <= MOST_SKEW_SECONDS
    ? [ok('clock', "agrees with the server's")]
    : [
        warning(
          'clock',
          `It is ${seconds} seconds off the server's`,
          'Set the clock of the machine that is wrong.',
        ),
      ]
}
