import { ApiFailure } from '../../shared/client.ts'
import { giveFeedback, listProactiveIntents } from '../../shared/contract/proactive.ts'
import type { McpFeature } from '../feature.ts'

export const automation: McpFeature = {
  name: 'automation',
  /** svc does not bring up a contradiction that the person wants to keep. */
  async keepBoth(client, anchorKey, signal) {
    try {
      const intents = await client.call(listProactiveIntents, { query: { limit: 100 }, signal })
      for (const { intent_id, anchor_key } of intents)
        if (anchor_key === anchorKey)
          await client.call(giveFeedback, { body: { intent_id, feedback: 'dismiss' }, signal })
    } catch (error) {
      // Both stay, whether or not svc may list what it brings up.
      if (!(error instanceof ApiFailure) || error.status >= 500) throw error
    }
  },
}
