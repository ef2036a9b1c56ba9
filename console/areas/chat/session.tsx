import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { ApiFailure } from '../../../shared/client.ts'
import {
  type ChatSession,
  getChatSession,
  readChatSession,
} from '../../../shared/contract/chat-sessions.ts'
import { useAction, useApi } from '../../session/query.ts'
import { chat } from '../../texts/chat.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/loaded.tsx'
import { Menu } from '../../ui/menu.tsx'
import { EmptyState, ErrorNotice } from '../../ui/notice.tsx'
import { drafts, EMPTY_DRAFT, NEW_CHAT } from './drafts.ts'
import { ChatHeader } from './header.tsx'
import { type SessionDialog, useSessionActions } from './session-actions.ts'
import { SessionChat } from './session-chat.tsx'
import { SessionDialogs } from './session-dialogs.tsx'

const texts = chat.session
const route = getRouteApi('/chat/$sessionId')

export const ChatSessionPage = () => {
  const { sessionId } = route.useParams()
  const session = useApi(getChatSession, { params: { session_id: sessionId } })
  const [isFinding, setFinding] = useState(false)
  const { error, data } = session
  // Another tab may have deleted it; an id that is no UUID is a 422.
  if (error instanceof ApiFailure && (error.status === 404 || error.status === 422))
    return <DeletedChat sessionId={sessionId} />
  return (
    <div className="chat-session" key={sessionId}>
      {data ? (
        <SessionHeader session={data} onFind={() => setFinding(true)} />
      ) : (
        <ChatHeader title={chat.title} />
      )}
      {error && !data && <ErrorNotice error={error} onRetry={() => session.refetch()} />}
      {data ? (
        <SessionChat session={data} isFinding={isFinding} onFound={() => setFinding(false)} />
      ) : (
        !error && <Skeleton />
      )}
    </div>
  )
}

interface SessionHeaderProps {
  session: ChatSession
  onFind: () => void
}

const SessionHeader = ({ session, onFind }: SessionHeaderProps) => {
  const [dialog, setDialog] = useState<SessionDialog>()
  const navigate = useNavigate()
  const actions = useSessionActions(session, setDialog)
  useMarkRead(session)
  const title = session.title || chat.untitled
  const model = session.model ?? session.provider
  const answeredBy = session.provider === 'local' ? texts.fromMemory : model && texts.model(model)
  return (
    <>
      <ChatHeader
        title={title}
        note={[session.category_name, answeredBy].filter(Boolean).join(' · ')}
        actions={
          <>
            <span className="chat-header-share">
              <Button icon="share" onPress={() => setDialog({ kind: 'share', session })}>
                {texts.share}
              </Button>
            </span>
            <Menu
              label={chat.list.actions(title)}
              trigger={<IconButton icon="more" label={chat.list.actions(title)} />}
              actions={[{ label: texts.find, icon: 'search', onAction: onFind }, ...actions]}
            />
          </>
        }
      />
      <SessionDialogs
        dialog={dialog}
        onClose={() => setDialog(undefined)}
        onDeleted={() => void navigate({ to: '/chat', search: true })}
      />
    </>
  )
}

/** A chat that the user looks at is read. */
const useMarkRead = ({ id, unread }: ChatSession): void => {
  const { mutate } = useAction(readChatSession)
  useEffect(() => {
    if (unread) mutate({ params: { session_id: id } })
  }, [id, unread, mutate])
}

const DeletedChat = ({ sessionId }: { sessionId: string }) => {
  const navigate = useNavigate()
  const draft = drafts.use(sessionId)
  const move = () => {
    drafts.set(NEW_CHAT, draft)
    drafts.set(sessionId, EMPTY_DRAFT)
    void navigate({ to: '/chat', search: true })
  }
  return (
    <div className="chat-session">
      <ChatHeader title={texts.gone} />
      <div className="chat-messages">
        <div className="chat-start">
          <EmptyState
            icon="chat"
            title={texts.gone}
            actions={
              draft.text ? (
                <Button look="primary" onPress={move}>
                  {texts.continueElsewhere}
                </Button>
              ) : (
                <Link to="/chat" search className="button primary">
                  {chat.list.create}
                </Link>
              )
            }
          >
            {texts.goneNote}
          </EmptyState>
        </div>
      </div>
    </div>
  )
}
