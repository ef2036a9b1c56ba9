import type { RecallService } from '../../memory/recall/service.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Models } from '../../platform/models/types.ts'
import type { Part } from './service.ts'

export const databasePart = ({ kind, query }: Database): Part => ({
  name: 'database',
  required: true,
  async check() {
    await query('select 1', [])
    return { note: kind }
  },
})

export const recallPart = ({ isWarm }: Pick<RecallService, 'isWarm'>): Part => ({
  name: 'recall',
  required: false,
  check: async () => ({ state: isWarm() ? 'ok' : 'warming' }),
})

/** The router, without which there is no answer, and each provider, for which others stand in. */
export const modelParts = (models: Models): Part[] => [
  {
    name: 'models',
    required: true,
    async check() {
      await models.check()
      return models.isConfigured ? {} : { note: 'local' }
    },
  },
  ...models.states().map(({ provider }) => ({
    name: `models.${provider}`,
    required: false,
    async check() {
      const state = models.states().find((each) => each.provider === provider)?.state
      if (state === 'open') throw new Error('left alone after failures')
      return { note: state === 'half_open' ? 'being tried again' : 'in use' }
    },
  })),
]
