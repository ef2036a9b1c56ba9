import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { ApiFailure } from '../../../shared/client.ts'
import { listFeedback, removeFeedback } from '../../../shared/contract/feedback.ts'
import { getMemory, type Memory } from '../../../shared/contract/memories.ts'
import { apiQuery, useAction, useApi } from '../../session/query.ts'
import { memories } from '../../texts/memories.ts'
import { memory as texts } from '../../texts/memory.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { EmptyState, Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { notify, notifyError } from '../../ui/toast.tsx'
import { DeletedActions, MemoryActions } from './memory-actions.tsx'
import { MemoryContent } from './memory-content.tsx'
import { MemoryDetails } from './memory-details.tsx'
import { MemoryFactList } from './memory-facts.tsx'
import { MemoryHistory } from './memory-history.tsx'
import { LinkedMemories, ThreadContext, Versions } from './memory-related.tsx'
import { trustOf } from './origin.tsx'

const route = getRouteApi('/memories/$id')

/** 404, and 422 for an address whose id is none. */
const isMissing = (error: Error | null): boolean =>
  error instanceof ApiFailure && (error.status === 404 || error.status === 422)

/** In characters: tabs and bookmarks show less. */
const MAX_TAB_TITLE = 60

/** The first words of a memory, which distinguish several tabs of memories. */
const tabTitleOf = ({ content_text }: Memory): string => {
  const line = content_text.trim().replaceAll(/\s+/g, ' ')
  if (line.length <= MAX_TAB_TITLE) return line
  const words = line.slice(0, MAX_TAB_TITLE)
  return `${words.slice(0, Math.max(words.lastIndexOf(' '), MAX_TAB_TITLE / 2)).toWellFormed()}…`
}

/** A memory with everything around it. */
export const MemoryPage = () => {
  const { id } = route.useParams()
  const memory = useApi(getMemory, { params: { memory_id: id } })
  if (isMissing(memory.error)) return <DeletedMemory key={id} id={id} />
  return (
    <Page
      key={id}
      title={texts.title}
      tabTitle={memory.data && tabTitleOf(memory.data)}
      actions={memory.data && <MemoryActions memory={memory.data} />}
    >
      <BackLink />
      <Loaded query={memory}>
        {(loaded) => (
          <div className="memory-page">
            <div className="stack">
              {loaded.superseded_by && <ReplacedNotice by={loaded.superseded_by} />}
              <MemoryContent memory={loaded} />
              <ThreadContext memory={loaded} />
              <MemoryHistory memory={loaded} />
            </div>
            <div className="stack">
              <MemoryDetails memory={loaded} />
              <MemoryFactList id={loaded.memory_id} content={loaded.content_text} />
              <MemoryMarks id={loaded.memory_id} />
              <Versions id={loaded.memory_id} />
              <LinkedMemories id={loaded.memory_id} />
            </div>
          </div>
        )}
      </Loaded>
    </Page>
  )
}

const BackLink = ({ isTrash = false }: { isTrash?: boolean }) => (
  <div>
    <Link to="/memories" search={isTrash ? { deleted: true } : {}} className="back-link">
      <Icon name="back" />
      {isTrash ? memories.trash : memories.back}
    </Link>
  </div>
)

/** Names whose word the newer memory is where it is not the user's. */
const ReplacedNotice = ({ by }: { by: string }) => {
  const { data: newer } = useQuery(apiQuery(getMemory, { params: { memory_id: by } }))
  return (
    <Notice
      look="warn"
      action={
        <Link className="button small" to="/memories/$id" params={{ id: by }}>
          {texts.showNewer}
        </Link>
      }
    >
      {newer && newer.source.trust !== 'user'
        ? texts.isReplacedBy(trustOf(newer))
        : texts.isReplaced}
    </Notice>
  )
}

/** A memory in the trash, or none. */
const DeletedMemory = ({ id }: { id: string }) => {
  const memory = useQuery(
    apiQuery(getMemory, { params: { memory_id: id }, query: { deleted: true } }),
  )
  if (isMissing(memory.error))
    return (
      <Page title={texts.title}>
        <EmptyState
          icon="memory"
          title={texts.missing}
          actions={
            <Link className="button" to="/memories">
              {memories.back}
            </Link>
          }
        >
          {texts.missingNote}
        </EmptyState>
      </Page>
    )
  return (
    <Page
      title={texts.title}
      tabTitle={memory.data && tabTitleOf(memory.data)}
      actions={memory.data && <DeletedActions memory={memory.data} />}
    >
      <BackLink isTrash />
      <Loaded query={memory}>
        {(loaded) => (
          <div className="memory-page">
            <div className="stack">
              <Notice look="warn">{texts.deleted}</Notice>
              <MemoryContent memory={loaded} />
              <MemoryHistory memory={loaded} />
            </div>
            <MemoryDetails memory={loaded} />
          </div>
        )}
      </Loaded>
    </Page>
  )
}

/** The questions that a memory is marked as not relevant to; nothing without any. */
const MemoryMarks = ({ id }: { id: string }) => {
  const { data } = useApi(listFeedback, { params: { memory_id: id } })
  const remove = useAction(removeFeedback, {
    onSuccess: () => notify(texts.markRemoved),
    onError: notifyError,
  })
  if (!data?.feedback.length) return null
  return (
    <section className="card" aria-labelledby="marks">
      <h2 id="marks">{texts.marks}</h2>
      <ul className="plain stack-small">
        {data.feedback.map(({ feedback_id, question }) => (
          <li key={feedback_id} className="row">
            <span className="grow memory-mark">
              <bdi>{question ?? texts.otherQuestion}</bdi>
            </span>
            <Button
              isSmall
              aria-label={texts.removeMarkOf(question ?? texts.otherQuestion)}
              onPress={() => remove.mutate({ params: { memory_id: id, feedback_id } })}
            >
              {texts.removeMark}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
