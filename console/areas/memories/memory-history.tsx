import { lazy, Suspense } from 'react'
import { type Memory, type MemoryEvent, memoryHistory } from '../../../shared/contract/memories.ts'
import { keysOf } from '../../../shared/objects.ts'
import { useApi } from '../../session/query.ts'
import { memories } from '../../texts/memories.ts'
import { memory as texts } from '../../texts/memory.ts'
import { Loaded, Skeleton } from '../../ui/loaded.tsx'
import { formatDateTime } from '../../ui/time.tsx'
import { percent, Source } from './memory-details.tsx'

const Diff = lazy(() => import('./diff.tsx'))

type Version = NonNullable<MemoryEvent['before']>

/** An event with the values before and after it, where it changed any. */
interface Change {
  event: MemoryEvent
  before: Version | null
  after: Version
}

/** Each event stores the values before it; those after it are before the next one, or the current ones. */
const changesOf = (events: readonly MemoryEvent[], current: Memory): Change[] => {
  const changes: Change[] = []
  let after: Version = current
  for (const event of events.toReversed()) {
    changes.push({ event, before: event.before, after })
    after = event.before ?? after
  }
  return changes
}

/** The changes of a memory, the latest first. */
export const MemoryHistory = ({ memory }: { memory: Memory }) => {
  const history = useApi(memoryHistory, { params: { memory_id: memory.memory_id } })
  return (
    <section className="card" aria-labelledby="history">
      <h2 id="history">{texts.history}</h2>
      <Loaded query={history} lines={2}>
        {(events) => (
          <ol className="plain history">
            {changesOf(events, memory).map((change) => (
              <li key={change.event.id}>
                <HistoryEntry {...change} />
              </li>
            ))}
          </ol>
        )}
      </Loaded>
    </section>
  )
}

const HistoryEntry = ({ event, before, after }: Change) => (
  <div className="stack-small">
    <p className="row spread">
      <strong>{texts.actions[event.action]}</strong>
      <span className="quiet small">
        {formatDateTime(event.created_at)}, <Source {...event.actor} />
      </span>
    </p>
    {before && event.action === 'updated' && <FieldChanges before={before} after={after} />}
    {before && before.content_text !== after.content_text && (
      <Suspense fallback={<Skeleton lines={1} />}>
        <Diff before={before.content_text} after={after.content_text} />
      </Suspense>
    )}
  </div>
)

const FIELDS = keysOf(texts.changedFields)
const MAX_VALUE = 200

const describe = (field: keyof typeof texts.changedFields, version: Version): string => {
  const value = version[field]
  if (value === null || value === undefined || value === '') return texts.nothing
  if (field === 'memory_type') return memories.types[version.memory_type]
  if (field === 'occurred_at' && version.occurred_at) return formatDateTime(version.occurred_at)
  if (field === 'importance') return percent(version.importance)
  if (Array.isArray(value)) return value.join(', ') || texts.nothing
  return (typeof value === 'object' ? JSON.stringify(value) : String(value)).slice(0, MAX_VALUE)
}

const FieldChanges = ({ before, after }: { before: Version; after: Version }) => {
  const changed = FIELDS.filter(
    (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  )
  return (
    changed.length > 0 && (
      <ul className="plain small">
        {changed.map((field) => (
          <li key={field} className="user-text" dir="auto">
            {texts.changeOf(
              texts.changedFields[field],
              describe(field, before),
              describe(field, after),
            )}
          </li>
        ))}
      </ul>
    )
  )
}
