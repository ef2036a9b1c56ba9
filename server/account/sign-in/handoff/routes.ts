import { exchangeHandoff, mintHandoff } from '../../../../shared/contract/index.ts'
import type { Mount } from '../../../platform/http/route.ts'
import type { HandoffService } from './service.ts'

export const handoffRoutes = (mount: Mount, handoffs: HandoffService): void => {
  mount(mintHandoff, ({ caller, body }) => handoffs.mint(caller, body.target_origin))
  mount(exchangeHandoff, async ({ body, origin, client, refreshCookie }) => {
    const { response, refreshToken } = await handoffs.exchange(body.token, origin, client)
    refreshCookie.set(refreshToken)
    return response
  })
}
