import {
  createReflex,
  deleteReflex,
  getReflex,
  listFirings,
  listReflexes,
  renewWebhookSecret,
  testReflex,
  updateReflex,
} from '../../../shared/contract/index.ts'
import type { Mount } from '../../platform/http/route.ts'
import type { ReflexService } from './service.ts'

export const reflexRoutes = (mount: Mount, reflexes: ReflexService): void => {
  mount(listReflexes, ({ caller }) => reflexes.list(caller))
  mount(createReflex, ({ caller, body }) => reflexes.create(caller, body))
  mount(getReflex, ({ caller, params }) => reflexes.get(caller, params.reflex_id))
  mount(updateReflex, ({ caller, params, body }) => reflexes.update(caller, params.reflex_id, body))
  mount(deleteReflex, async ({ caller, params }) => {
    await reflexes.delete(caller, params.reflex_id)
    return undefined
  })
  mount(renewWebhookSecret, ({ caller, params }) => reflexes.renewSecret(caller, params.reflex_id))
  mount(testReflex, ({ caller, params, body }) =>
    reflexes.test(caller, params.reflex_id, body.event),
  )
  mount(listFirings, ({ caller, params, query }) =>
    reflexes.firings(caller, params.reflex_id, query),
  )
}
