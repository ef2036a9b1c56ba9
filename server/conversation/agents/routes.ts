import {
  agentTimeline,
  deleteAgent,
  getAgent,
  listAgents,
  updateAgent,
} from '../../../shared/contract/index.ts'
import type { Mount } from '../../platform/http/route.ts'
import type { ExchangeService } from './exchanges.ts'
import type { AgentService } from './service.ts'

export const agentRoutes = (
  mount: Mount,
  agents: AgentService,
  exchanges: ExchangeService,
): void => {
  mount(listAgents, ({ caller }) => agents.list(caller))
  mount(getAgent, ({ caller, params }) => agents.get(caller, params.slug))
  mount(updateAgent, ({ caller, params, body }) => agents.update(caller, params.slug, body))
  mount(deleteAgent, async ({ caller, params }) => {
    await agents.delete(caller, params.slug)
    return undefined
  })
  mount(agentTimeline, ({ caller, params, query }) =>
    exchanges.timeline(caller, params.slug, query),
  )
}
