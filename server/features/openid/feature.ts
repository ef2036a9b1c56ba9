import { endpointsOf } from '../../../shared/contract/endpoint.ts'
import * as openIdRows from '../../../shared/contract/openid.ts'
import { readForm } from '../../account/access/oauth-server/forms.ts'
import {
  pathsOf,
  publicDocument,
  secretResponse,
  withOAuthErrors,
} from '../../account/access/oauth-server/http.ts'
import { defineOptionalFeature } from '../../feature.ts'
import { endSessionPages } from './end-session-page.ts'
import { startOpenId } from './openid.ts'
import { userInfoRoutes } from './userinfo.ts'

/** The sign-in of other apps with svc (OpenID Connect), beside their authorization by OAuth. */
export const openId = defineOptionalFeature({
  name: 'openId',
  option: 'openid',
  rows: endpointsOf(openIdRows),
  start: startOpenId,
  openId: ({ provider }) => provider,
  serve(serving, openId) {
    const { mountRaw, baseUrl } = serving
    for (const row of pathsOf(openIdRows.openIdConfiguration, baseUrl))
      mountRaw(row, () => publicDocument(openId.serverMetadata()))
    mountRaw(
      openIdRows.introspectToken,
      withOAuthErrors(
        async (call) => secretResponse(await openId.introspect(await readForm(call))),
        'invalid_request',
      ),
    )
    userInfoRoutes(mountRaw, openId.grants, baseUrl)
    endSessionPages(serving, openId.logouts, openId.authentication)
  },
})
