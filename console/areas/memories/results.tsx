import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type RecalledMemory, recall } from '../../../shared/contract/recall.ts'
import { withRelativeScores } from '../../../shared/score.ts'
import { apiQuery } from '../../session/query.ts'
import { memories as texts } from '../../texts/memories.ts'
import { Button } from '../../ui/button.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { EmptyState } from '../../ui/notice.tsx'
import { BulkBar } from './bulk-bar.tsx'
import type { ChangeSearch } from './filters.tsx'
import { Origin } from './origin.tsx'
import { MemoryMeta } from './row.tsx'
import { Score } from './score.tsx'
import { type MemorySearch, RECALL_LIMIT, recallBody } from './search.ts'
import { type MemorySelection, useSelection } from './selection.ts'

interface ResultsProps {
  search: MemorySearch
  query: string
  onChange: ChangeSearch
}

/** The memories that answer the question. The earlier results stay until the new ones arrive. */
export const Results = ({ search, query, onChange }: ResultsProps) => {
  const results = useQuery({
    ...apiQuery(recall, { body: recallBody(search, query) }),
    placeholderData: keepPreviousData,
  })
  return (
    <div className="stack-small" aria-busy={results.isFetching}>
      <Loaded query={results}>
        {({ memories }) =>
          memories.length ? (
            <ResultList memories={memories} />
          ) : (
            <EmptyState
              icon="search"
              title={texts.search.none}
              actions={
                <>
                  <Button onPress={() => onChange({ q: undefined })}>{texts.search.clear}</Button>
                  <Link className="button" to="/memories" search={{ q: query }}>
                    {texts.search.clearFilters}
                  </Link>
                </>
              }
            >
              {texts.search.noneNote}
            </EmptyState>
          )
        }
      </Loaded>
    </div>
  )
}

const ResultList = ({ memories }: { memories: readonly RecalledMemory[] }) => {
  const selection = useSelection(memories.map(({ memory_id }) => memory_id))
  const summary =
    memories.length < RECALL_LIMIT
      ? texts.search.found(memories.length)
      : texts.search.most(memories.length)
  return (
    <div className="memory-list">
      <BulkBar memories={memories} selection={selection} summary={summary} />
      <ol className="list" aria-label={texts.list.results}>
        {withRelativeScores(memories).map((memory) => (
          <Result key={memory.memory_id} memory={memory} selection={selection} />
        ))}
      </ol>
    </div>
  )
}

interface ResultProps {
  memory: RecalledMemory
  selection: MemorySelection
}

const Result = ({ memory, selection }: ResultProps) => (
  <li className="recall-result">
    <div className="memory-select">
      <input
        type="checkbox"
        checked={selection.selected.has(memory.memory_id)}
        aria-label={texts.select(memory.content_text.slice(0, 80))}
        onClick={(event) => selection.toggle(memory.memory_id, event.shiftKey)}
        onChange={() => {}}
      />
    </div>
    <div className="stack-small grow">
      <Link
        to="/memories/$id"
        params={{ id: memory.memory_id }}
        dir="auto"
        className="recall-text user-text"
      >
        {memory.content_text.slice(0, RESULT_CHARACTERS)}
        {memory.content_text.length > RESULT_CHARACTERS && '…'}
      </Link>
      <MemoryMeta memory={memory} />
      <Origin memory={memory} />
      {memory.explanation && <Score score={memory.score} explanation={memory.explanation} />}
    </div>
  </li>
)

const RESULT_CHARACTERS = 600
