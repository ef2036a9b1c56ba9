import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import {
  archiveDirectThread,
  type DirectMessage,
  type DirectThread,
  listDirectMessages,
  listDirectThreads,
  readDirectThread,
} from '../../../shared/contract/dm.ts'
import { callApi } from '../../session/client.ts'
import { useKeptState } from '../../session/drafts.ts'
import { useApiPages } from '../../session/pages.ts'
import { useAction, useApi } from '../../session/query.ts'
import { common } from '../../texts/common.ts'
import { directMessages as texts } from '../../texts/people.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Notice } from '../../ui/notice.tsx'
import { notify, notifyError } from '../../ui/toast.tsx'
import { Composer } from './composer.tsx'
import { MessageList } from './message-list.tsx'
import { useThreads } from './messages.tsx'

const route = getRouteApi('/people/messages/$threadId')
const parent = getRouteApi('/people/messages')

const PAGE = 50
/** How soon a message of the other user appears while the thread is open. */
const REFRESH_MS = 3000

/** The username of a peer whose account was deleted (docs/reference/messages.md). */
const DELETED = 'deleted'

export const NoThread = () => (
  <div className="dm-empty quiet">
    <p>{texts.chooseThread}</p>
  </div>
)

/** The messages of a thread, latest page first. They are requested again when there is a new one. */
const useMessages = (threadId: string) => {
  const params = { thread_id: threadId }
  const pages = useApiPages(
    listDirectMessages,
    threadId,
    (before) => ({ params, query: { limit: PAGE, ...(before && { before }) } }),
    (page) => (page.length === PAGE ? page[0]?.id : null),
  )
  const latest = useApi(listDirectMessages, { params, query: { limit: 1 } }, { pollMs: REFRESH_MS })
  const { refetch, data } = pages
  const shownId = data?.pages[0]?.at(-1)?.id
  const latestId = latest.data?.[0]?.id
  useEffect(() => {
    if (data && latestId !== undefined && latestId !== shownId) void refetch()
  }, [latestId, shownId, data, refetch])
  const reload = () => Promise.all([latest.refetch(), refetch()])
  return { ...pages, refetch: reload, error: pages.error ?? latest.error }
}

/** Marks the thread read whenever the user sees new messages in it. */
const useRead = (thread: DirectThread | undefined): void => {
  const queries = useQueryClient()
  const threadId = thread?.thread_id
  const unread = thread?.unread ?? 0
  useEffect(() => {
    if (threadId === undefined || unread === 0) return
    callApi(readDirectThread, { params: { thread_id: threadId } })
      .then(() => queries.invalidateQueries({ queryKey: [listDirectThreads.name] }))
      .catch(notifyError)
  }, [threadId, unread, queries])
}

export const ThreadPane = () => {
  const { threadId } = route.useParams()
  const { archived = false } = parent.useSearch()
  const thread = useThreads(archived)
    .data?.pages.flat()
    .find(({ thread_id }) => thread_id === threadId)
  const messages = useMessages(threadId)
  useRead(thread)
  const name = thread?.peer_display_name ?? ''
  return (
    <section className="dm-thread" aria-label={texts.conversation(name)} key={threadId}>
      {thread && <ThreadHeader thread={thread} />}
      <Loaded query={{ ...messages, data: messages.data?.pages.toReversed().flat() }}>
        {(list) => (
          <Conversation threadId={threadId} thread={thread} messages={list} older={messages} />
        )}
      </Loaded>
    </section>
  )
}

interface ConversationProps {
  threadId: string
  thread: DirectThread | undefined
  messages: readonly DirectMessage[]
  older: ReturnType<typeof useMessages>
}

const noReply = (): string | undefined => undefined

const Conversation = ({ threadId, thread, messages, older }: ConversationProps) => {
  const [replyToId, setReplyToId] = useKeptState(`reply ${threadId}`, noReply)
  const canWrite = thread?.peer_username !== DELETED
  return (
    <>
      {messages.length ? (
        <MessageList
          messages={messages}
          older={older}
          isStale={older.error !== null}
          {...(canWrite && { onReply: ({ id }) => setReplyToId(id) })}
        />
      ) : (
        <p className="dm-messages quiet">{texts.noMessages}</p>
      )}
      {canWrite ? (
        <Composer
          threadId={threadId}
          peer={thread?.peer_display_name ?? ''}
          replyTo={messages.find(({ id }) => id === replyToId)}
          onReplyEnd={() => setReplyToId(undefined)}
        />
      ) : (
        <Notice>{texts.deletedPeer}</Notice>
      )}
    </>
  )
}

const ThreadHeader = ({ thread }: { thread: DirectThread }) => {
  const { thread_id, peer_display_name: name, peer_username, peer_online, archived } = thread
  // An action of its own: one that follows at once is no second click of the first.
  const undo = useAction(archiveDirectThread, { onError: notifyError })
  const archive = useAction(archiveDirectThread, {
    onSuccess: (changed) => {
      const run = () => undo.mutate({ params: { thread_id } })
      if (changed.archived) notify(texts.archivedNow(name), { label: common.undo, run })
    },
    onError: notifyError,
  })
  const toggle = () => archive.mutate({ params: { thread_id } })
  return (
    <header className="dm-header">
      <Link to="/people/messages" search={true} className="button quiet icon dm-back">
        <Icon name="back" />
        <span className="visually-hidden">{texts.threads}</span>
      </Link>
      <div className="grow">
        <h2 className="truncate">
          <bdi>{name}</bdi>
        </h2>
        <p className="quiet small truncate">
          @<bdi>{peer_username}</bdi> · {peer_online ? texts.online : texts.offline}
        </p>
      </div>
      <Button isSmall icon="archive" isPending={archive.isPending} onPress={toggle}>
        {archived ? texts.unarchive : texts.archive}
      </Button>
    </header>
  )
}
