import { endpointsOf } from '../../../shared/contract/endpoint.ts'
import * as proxyRows from '../../../shared/contract/proxy.ts'
import { defineOptionalFeature } from '../../feature.ts'
import type { MemoryServices } from '../../memory/memory.ts'
import type { ContextService } from '../../prompt/context/service.ts'
import type { UsageService } from '../../usage/counts/service.ts'
import { createTurnBeginnings } from './beginning.ts'
import { createProxyCounting, sideRequestLimit, turnRequestLimit } from './counting.ts'
import { proxyRoutes } from './routes.ts'
import { createProxyService } from './service.ts'
import { createTurnService, proxyRetention } from './turns.ts'
import { anthropicUpstream, openAiUpstream } from './upstream.ts'

interface Needs {
  usage: { counts: UsageService }
  memory: Pick<MemoryServices, 'captures'>
  contexts: Pick<ContextService, 'recall' | 'compose' | 'record'>
}

/** The APIs of OpenAI and Anthropic, with the memories of the caller. */
export const proxy = defineOptionalFeature({
  name: 'proxy',
  option: 'proxy',
  rows: endpointsOf(proxyRows),
  limits: [sideRequestLimit, turnRequestLimit],
  retention: () => [proxyRetention],
  start: ({ config, database, limiter, log }, { usage, memory, contexts }: Needs) => ({
    service: createProxyService({
      turns: createTurnService(database, createTurnBeginnings(database, contexts, log)),
      captures: memory.captures,
      counting: createProxyCounting(usage.counts, limiter),
      log,
    }),
    upstreams: {
      openai: () => openAiUpstream(config.chat.providers),
      anthropic: () => anthropicUpstream(config.anthropic),
    },
  }),
  serve: ({ mountRaw, http }, proxy) => proxyRoutes(mountRaw, proxy, http),
})
