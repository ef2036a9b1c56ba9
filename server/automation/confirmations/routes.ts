import { decideConfirmation, listConfirmations } from '../../../shared/contract/index.ts'
import type { Mount } from '../../platform/http/route.ts'
import type { ConfirmationService } from './service.ts'

export const confirmationRoutes = (mount: Mount, confirmations: ConfirmationService): void => {
  mount(listConfirmations, ({ caller, query }) => confirmations.list(caller, query))
  mount(decideConfirmation, async ({ caller, params, body }) => {
    await confirmations.decide(caller, params.intent_id, body.decision)
    return {}
  })
}
