import { endpointsOf } from '../../../shared/contract/endpoint.ts'
import * as openIdRows from '../../../shared/contract/openid.ts'
import { defineOptionalFeature } from '../../feature.ts'
import { startOpenId } from './openid.ts'
import { serveOpenId } from './routes.ts'

/** The sign-in of other apps with svc (OpenID Connect), beside their authorization by OAuth. */
export const openId = defineOptionalFeature({
  name: 'openId',
  option: 'openid',
  rows: endpointsOf(openIdRows),
  start: startOpenId,
  openId: ({ provider }) => provider,
  serve: serveOpenId,
})
