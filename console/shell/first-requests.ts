import { listOrgs } from '../../shared/contract/organizations.ts'
import { me } from '../../shared/contract/sessions.ts'
import { requestHome } from '../areas/home/requests.ts'
import { features } from '../features.ts'
import { apiQuery, prefetch } from '../session/query.ts'
import { queryClient } from '../session/query-client.ts'

/**
 * Requests what the frame of the screens and Home show, before they are drawn: on a slow device, drawing takes as
 * long as the responses.
 * @param isHome whether Home is the first screen.
 */
export const requestFirst = (isHome: boolean): void => {
  const user = queryClient.fetchQuery(apiQuery(me, {}))
  prefetch(listOrgs, {})
  if (isHome) requestHome()
  user
    .then(({ email_verified }) => {
      if (!email_verified) return
      for (const { waiting, attention } of features) {
        waiting?.request()
        if (isHome) attention?.request()
      }
    })
    // The screens show the failure.
    .catch(() => {})
}
