import { Link } from '@tanstack/react-router'
import { useCallback, useMemo, useState, useSyncExternalStore } from 'react'
import type { Memory } from '../../../shared/contract/memories.ts'
import { memoriesOf } from '../../texts/counts.ts'
import { memories as texts } from '../../texts/memories.ts'
import { Button } from '../../ui/button.tsx'
import { Switch } from '../../ui/choice.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Skeleton } from '../../ui/loaded.tsx'
import { EmptyState, ErrorNotice, Notice } from '../../ui/notice.tsx'
import { useMedia } from '../../ui/use-media.ts'
import { BulkBar } from './bulk-bar.tsx'
import { focusList, MemoryGrid } from './list.tsx'
import { MemoryDetails } from './memory-details.tsx'
import { MemoryText } from './memory-text.tsx'
import { reloadLists, useFacets, useHasNews, useMemoryPages } from './pages.ts'
import { listQuery, type MemorySearch } from './search.ts'
import { useSelection } from './selection.ts'

const SKELETON_LINES = 6

/** The list of memories, newest first, or of deleted ones. Pages are loaded while it scrolls. */
export const Browse = ({ search }: { search: MemorySearch }) => {
  const pages = useMemoryPages(search)
  const { memories, error, hasNextPage, isFetching, fetchNextPage } = pages
  const hasNews = useHasNews(search, memories)
  const counted = useFacets(search)?.total
  // Until the count is there, what is loaded may be all.
  const total = hasNextPage ? counted : memories?.length
  const ids = useMemo(() => memories?.map(({ memory_id }) => memory_id) ?? [], [memories])
  const selection = useSelection(ids)
  const isPeeking = usePeeking()
  const [peeked, setPeeked] = useState<Memory>()
  const isBeside = isPeeking === true && !search.deleted
  const loadMore = useCallback(() => {
    if (!isFetching && !error) void fetchNextPage()
  }, [isFetching, error, fetchNextPage])
  if (!memories)
    return error ? (
      <ErrorNotice error={error} onRetry={pages.refetch} />
    ) : (
      <Skeleton lines={SKELETON_LINES} />
    )
  if (memories.length === 0 && !hasNextPage) return hasNews ? <News /> : <Empty search={search} />
  return (
    <div className="stack-small">
      {hasNews && <News />}
      {isPeeking !== undefined && !search.deleted && (
        <Switch isSelected={isPeeking} onChange={setPeeking}>
          {texts.peek.toggle}
        </Switch>
      )}
      <div className={isBeside ? 'memory-beside' : undefined}>
        <div className="memory-list">
          <BulkBar
            memories={memories}
            selection={selection}
            summary={
              total || total === memories.length
                ? memoriesOf(total)
                : texts.bulk.loaded(memories.length)
            }
            isTrash={search.deleted ?? false}
            matching={
              hasNextPage && counted && !search.deleted ? { search, total: counted } : undefined
            }
          />
          <MemoryGrid
            label={search.deleted ? texts.trash : texts.list.label}
            memories={memories}
            selection={selection}
            hasMore={hasNextPage}
            isDeleted={search.deleted ?? false}
            order={search.sort ?? 'stored'}
            onEnd={loadMore}
            onActive={isBeside ? setPeeked : undefined}
          />
        </div>
        {isBeside && <Peek memory={peeked} />}
      </div>
      {pages.isFetchingNextPage && <p className="quiet small">{texts.list.loadingMore}</p>}
      {error && <ErrorNotice error={error} onRetry={fetchNextPage} />}
    </div>
  )
}

const News = () => (
  <Notice
    action={
      <Button isSmall onPress={() => void reloadLists().then(focusList)}>
        {texts.list.showNews}
      </Button>
    }
  >
    <span role="status">{texts.list.news}</span>
  </Notice>
)

const Empty = ({ search }: { search: MemorySearch }) => {
  const { deleted, ...filters } = listQuery(search)
  if (Object.keys(filters).length)
    return (
      <EmptyState
        icon="filter"
        title={texts.list.none}
        actions={
          <Link className="button" to="/memories" search={deleted ? { deleted } : {}}>
            {texts.search.clearFilters}
          </Link>
        }
      >
        {texts.list.noneNote}
      </EmptyState>
    )
  return deleted ? (
    <EmptyState
      icon="trash"
      title={texts.list.emptyTrash}
      actions={
        <Link className="button" to="/memories">
          {texts.back}
        </Link>
      }
    >
      {texts.list.emptyTrashNote}
    </EmptyState>
  ) : (
    <FirstTime />
  )
}

/** Before the first memory: the three ways to get one. */
const FirstTime = () => (
  <EmptyState
    icon="memory"
    title={texts.first.title}
    actions={
      <>
        <Link className="button primary" to="/memories/new">
          <Icon name="plus" />
          {texts.remember}
        </Link>
        <Link className="button" to="/memories/import">
          <Icon name="upload" />
          {texts.import}
        </Link>
        <Link className="button" to="/connect">
          <Icon name="connect" />
          {texts.first.connect}
        </Link>
      </>
    }
  >
    {texts.first.note}
  </EmptyState>
)

const peekTexts = texts.peek
/** Room for a list and a memory. */
const WIDE = '(min-width: 80rem)'
/** A preference of this browser. */
const STORAGE_KEY = 'svc-peek'
const listeners = new Set<() => void>()

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const setPeeking = (isOn: boolean): void => {
  if (isOn) localStorage.setItem(STORAGE_KEY, 'on')
  else localStorage.removeItem(STORAGE_KEY)
  for (const notify of listeners) notify()
}

/** Whether the memory of the focus is shown beside the list; undefined where there is no room. */
const usePeeking = (): boolean | undefined => {
  const isOn = useSyncExternalStore(subscribe, () => localStorage.getItem(STORAGE_KEY) !== null)
  return useMedia(WIDE) ? isOn : undefined
}

/** A memory beside the list. */
const Peek = ({ memory }: { memory: Memory | undefined }) => (
  <aside className="memory-peek" aria-label={peekTexts.title}>
    {memory ? (
      <div key={memory.memory_id} className="stack">
        <div className="card">
          <MemoryText text={memory.content_text} />
        </div>
        <MemoryDetails memory={memory} />
        <div className="row">
          <Link className="button" to="/memories/$id" params={{ id: memory.memory_id }}>
            {peekTexts.open}
          </Link>
        </div>
      </div>
    ) : (
      <p className="quiet">{peekTexts.none}</p>
    )}
  </aside>
)
