import type { VectorService } from '../../memory/engines/embedding/service.ts'
import type { RecallService } from '../../memory/recall/service.ts'
import type { Database, Reads } from '../../platform/db/database.ts'
import type { Admission } from '../../platform/http/admission.ts'
import type { Models } from '../../platform/models/types.ts'
import type { WriteWatch } from '../../platform/writes.ts'
import type { Part } from './service.ts'

export const databasePart = ({ kind, query }: Database): Part => ({
  name: 'database',
  required: true,
  action:
    kind === 'embedded'
      ? 'Read the log of svc, check the disk of SVC_DATA_DIR, and restart svc.'
      : 'Check that the PostgreSQL server of SVC_DATABASE_URL runs and accepts connections.',
  async check() {
    await query('select 1', [])
    return { note: kind }
  },
})

/** The primary answers while the replica does not, so it is not required. */
export const replicaParts = ({ replica }: Reads): Part[] =>
  replica
    ? [
        {
          name: 'read_replica',
          required: false,
          action:
            'Check that SVC_DATABASE_READ_URL is the address of a streaming replica of SVC_DATABASE_URL that runs. svc retries by itself.',
          async check() {
            const { state, lagBytes, lagSeconds = 0 } = await replica.report()
            const lag = lagBytes === undefined ? '' : `, ${lagBytes} bytes (${lagSeconds} s) behind`
            const isUp = state === 'in use' || state === 'behind'
            return { state: isUp ? 'ok' : 'down', note: `${state}${lag}` }
          },
        },
      ]
    : []

/** Checks writes separately, because reads still succeed on a full disk. */
export const writesPart = (writes: Pick<WriteWatch, 'check'>): Part => ({
  name: 'writes',
  required: true,
  down: 'writes fail',
  action: 'Free space on the disks of the database and of SVC_DATA_DIR, and make them writable.',
  async check() {
    await writes.check()
    return {}
  },
})

/** Down while requests are refused. The others are answered, so it is not required. */
export const requestsPart = ({ report }: Pick<Admission, 'report'>): Part => ({
  name: 'requests',
  required: false,
  action: 'Send fewer requests, or give svc more processors and set SVC_PROCESSES.',
  async check() {
    const queues = report().map(([, queue]) => queue)
    const waiting = queues.reduce((sum, queue) => sum + queue.waiting, 0)
    const refused = queues.reduce((sum, queue) => sum + queue.refused, 0)
    const delay = Math.round(Math.max(0, ...queues.map(({ delayMs }) => delayMs)))
    return {
      state: queues.some(({ isRefusing }) => isRefusing) ? 'down' : 'ok',
      note: `${waiting} waiting, the oldest for ${delay} ms; ${refused} refused since the start`,
    }
  },
})

export const recallPart = ({ isWarm }: Pick<RecallService, 'isWarm'>): Part => ({
  name: 'recall',
  required: false,
  action: 'Wait until recall is ready. If it takes minutes, read the log of svc.',
  check: async () => ({ state: isWarm() ? 'ok' : 'warming' }),
})

/** The model router, which is required, and each provider, which is not: the router falls back to others. */
export const modelParts = (models: Models): Part[] => [
  {
    name: 'models',
    required: true,
    action: 'Fix a provider, or set SVC_CHAT_FALLBACK=local to answer without one.',
    async check() {
      await models.check()
      return models.isConfigured ? {} : { note: 'local' }
    },
  },
  ...models.states().map(({ provider }) => ({
    name: `models.${provider}`,
    required: false,
    action: `Check SVC_${provider.toUpperCase()}_* and the status of the provider. svc retries by itself.`,
    async check() {
      const state = models.states().find((each) => each.provider === provider)?.state
      if (state === 'open') throw new Error('circuit breaker is open')
      return { note: state === 'half_open' ? 'retrying after failures' : 'in use' }
    },
  })),
]

/** Recall searches by words alone while the model is down. */
export const embeddingPart = ({ state }: Pick<VectorService, 'state'>): Part => ({
  name: 'embedding',
  required: false,
  action:
    'Check the model of SVC_EMBEDDING, or SVC_EMBEDDING_URL, SVC_EMBEDDING_MODEL and SVC_EMBEDDING_API_KEY.',
  check: state,
})
