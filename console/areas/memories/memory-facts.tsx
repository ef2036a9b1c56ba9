import { useQuery } from '@tanstack/react-query'
import { type MemoryFact, memoryFacts } from '../../../shared/contract/facts.ts'
import { apiQuery } from '../../session/query.ts'
import { common } from '../../texts/common.ts'
import { memory as texts } from '../../texts/memory.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { formatDateTime } from '../../ui/time.tsx'

/** Extraction takes about a second. */
const PENDING_INTERVAL_MS = 1_500

/** The facts that were read from a memory. */
export const MemoryFactList = ({ id, content }: { id: string; content: string }) => {
  const facts = useQuery({
    ...apiQuery(memoryFacts, { params: { memory_id: id } }),
    refetchInterval: ({ state }) => (state.data?.pending ? PENDING_INTERVAL_MS : false),
  })
  return (
    <section className="card" aria-labelledby="facts">
      <h2 id="facts">{texts.facts}</h2>
      <Loaded query={facts} lines={1}>
        {({ facts: list, pending }) => (
          <div className="stack-small" role="status">
            {list.length > 0 && (
              <ul className="plain stack-small">
                {list.map((fact) => (
                  <Fact key={fact.fact_id} fact={fact} content={content} />
                ))}
              </ul>
            )}
            {pending && <p className="quiet small">{texts.factsPending}</p>}
            {!pending && list.length === 0 && <p className="quiet small">{texts.noFacts}</p>}
          </div>
        )}
      </Loaded>
    </section>
  )
}

/** The passage of a short memory is the memory itself, and is not repeated. */
const Fact = ({ fact, content }: { fact: MemoryFact; content: string }) => (
  <li>
    <div className="row fact">
      <span className="badge">{texts.factKinds[fact.kind]}</span>
      <span className="grow">
        <bdi>{fact.subject === 'self' ? texts.self : fact.subject}</bdi>
        {fact.polarity ? ` (${fact.polarity === 'like' ? texts.likes : texts.dislikes})` : ''}
        {': '}
        <bdi>{fact.value}</bdi>
        {fact.due_at && <span className="quiet"> {formatDateTime(fact.due_at)}</span>}
      </span>
    </div>
    <p className="quiet small fact-quote">
      {fact.quote.length < content.trim().length && (
        <>
          <bdi>{common.quoted(fact.quote)}</bdi>,{' '}
        </>
      )}
      {texts.extractedBy(fact.extracted_by)}
    </p>
  </li>
)
