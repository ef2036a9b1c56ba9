import { introspectToken, openIdConfiguration } from '../../../shared/contract/index.ts'
import { readForm } from '../../account/access/oauth-server/forms.ts'
import {
  pathsOf,
  publicDocument,
  secretResponse,
  withOAuthErrors,
} from '../../account/access/oauth-server/http.ts'
import type { Serving } from '../../feature.ts'
import { endSessionPages } from './end-session-page.ts'
import type { OpenId } from './openid.ts'
import { userInfoRoutes } from './userinfo.ts'

export const serveOpenId = (serving: Serving, openId: OpenId): void => {
  const { mountRaw, baseUrl } = serving
  for (const row of pathsOf(openIdConfiguration, baseUrl))
    mountRaw(row, () => publicDocument(openId.serverMetadata()))
  mountRaw(
    introspectToken,
    withOAuthErrors(
      async (call) => secretResponse(await openId.introspect(await readForm(call))),
      'invalid_request',
    ),
  )
  userInfoRoutes(mountRaw, openId.grants, baseUrl)
  endSessionPages(serving, openId.logouts, openId.authentication)
}
