import { basePathOf } from '../shared/urls.ts'
import type { AppOptions } from './app.ts'
import type { Config } from './config/config.ts'
import type { Services } from './features.ts'
import type { Database } from './platform/db/database.ts'
import { addressCheck, clientAddress } from './platform/http/address.ts'
import type { Admission } from './platform/http/admission.ts'
import type { HttpContext } from './platform/http/context.ts'
import type { OpenStreams } from './platform/http/streams.ts'
import type { Metrics } from './platform/metrics.ts'
import type { Models } from './platform/models/types.ts'
import type { Siblings } from './platform/web-processes.ts'

/** The metrics and what they are read from, if they have a token. */
export const metricsOf = (
  { metricsToken }: Config,
  { memory, admin }: Services,
  {
    metrics,
    database,
    models,
    streams,
    admission,
    siblings,
  }: {
    metrics: Metrics | undefined
    database: Database
    models: Models
    streams: OpenStreams
    admission: Admission
    siblings: Siblings | undefined
  },
): AppOptions['metrics'] =>
  metrics && metricsToken
    ? {
        metrics,
        token: metricsToken,
        siblings,
        sources: {
          database,
          engines: memory.engineControl,
          queues: admin.queues,
          models,
          streams,
          admission,
        },
      }
    : undefined

/** How requests are authenticated, limited and logged. */
export const httpContextOf = (
  config: Config,
  { account }: Services,
  {
    baseUrl,
    ...given
  }: Pick<
    HttpContext,
    | 'log'
    | 'requestLevel'
    | 'requestRate'
    | 'limiter'
    | 'admission'
    | 'submissions'
    | 'streams'
    | 'bodyPace'
  > & {
    baseUrl: string
  },
): HttpContext => {
  const own = ownOrigins(baseUrl)
  return {
    ...given,
    authenticate: {
      apiKey: account.keys.authenticate,
      accessToken: async (token, org) =>
        (await account.grants.appCallerOf(token, org)) ??
        account.authentication.authenticate(token, org),
      cookie: account.authentication.authenticateCookie,
      checkPolicies: account.orgPolicies.check,
      inTimezone: account.timezones.record,
    },
    clientAddress: clientAddress(config.trustedProxies, config.forwardedHeader),
    isTrustedProxy: addressCheck(config.trustedProxies),
    ownOrigins: own,
    trustedOrigins: new Set([...own, ...config.frontendOrigins]),
    cookieDomain: config.cookieDomain,
    basePath: basePathOf(baseUrl),
  }
}

/** A local server is reached as `localhost` and as `127.0.0.1`. */
const ownOrigins = (baseUrl: string): ReadonlySet<string> => {
  const { origin } = new URL(baseUrl)
  return new Set([origin, origin.replace('//localhost', '//127.0.0.1')])
}
