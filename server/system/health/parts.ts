import type { RecallService } from '../../memory/recall/service.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Models } from '../../platform/models/types.ts'
import type { WriteWatch } from '../../platform/writes.ts'
import type { Part } from './service.ts'

export const databasePart = ({ kind, query }: Database): Part => ({
  name: 'database',
  required: true,
  async check() {
    await query('select 1', [])
    return { note: kind }
  },
})

/** Checks writes separately, because reads still succeed on a full disk. */
export const writesPart = (writes: Pick<WriteWatch, 'check'>): Part => ({
  name: 'writes',
  required: true,
  down: 'writes fail',
  async check() {
    await writes.check()
    return {}
  },
})

export const recallPart = ({ isWarm }: Pick<RecallService, 'isWarm'>): Part => ({
  name: 'recall',
  required: false,
  check: async () => ({ state: isWarm() ? 'ok' : 'warming' }),
})

/** The model router, which is required, and each provider, which is not: the router falls back to others. */
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
      if (state === 'open') throw new Error('circuit breaker is open')
      return { note: state === 'half_open' ? 'retrying after failures' : 'in use' }
    },
  })),
]
