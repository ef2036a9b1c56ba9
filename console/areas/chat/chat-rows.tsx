import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import type { ChatSession } from '../../../shared/contract/chat-sessions.ts'
import { chat } from '../../texts/chat.ts'
import { IconButton } from '../../ui/button.tsx'
import { useFocusRecovery } from '../../ui/focus-recovery.ts'
import { Icon } from '../../ui/icon.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Time } from '../../ui/time.tsx'
import type { ChatSearch } from './search.ts'
import { type SessionDialog, useSessionActions } from './session-actions.ts'
import { SessionDialogs } from './session-dialogs.tsx'

const texts = chat.list

interface ChatRowsProps {
  chats: UseInfiniteQueryResult<InfiniteData<ChatSession[]>>
  search: ChatSearch
  onNavigate?: () => void
}

export const ChatRows = ({ chats, search, onNavigate }: ChatRowsProps) => {
  const [dialog, setDialog] = useState<SessionDialog>()
  const list = useRef<HTMLDivElement>(null)
  useFocusRecovery(list)
  const navigate = useNavigate()
  const { sessionId } = useParams({ strict: false })
  const row = (session: ChatSession) => (
    <ChatRow
      key={session.id}
      session={session}
      onDialog={setDialog}
      {...(onNavigate && { onNavigate })}
    />
  )
  return (
    <div className="chat-rows" ref={list} tabIndex={-1}>
      <Loaded query={chats}>
        {({ pages }) => {
          const sessions = pages.flat()
          const pinned = sessions.filter(({ is_pinned }) => is_pinned)
          if (!sessions.length) return <NoChats search={search} />
          return (
            <>
              {pinned.length > 0 && <h2>{texts.pinned}</h2>}
              {pinned.length > 0 && <ul className="plain">{pinned.map(row)}</ul>}
              <h2>{search.archived ? texts.archived : texts.recent}</h2>
              <ul className="plain">{sessions.filter(({ is_pinned }) => !is_pinned).map(row)}</ul>
            </>
          )
        }}
      </Loaded>
      <LoadMore query={chats} />
      <SessionDialogs
        dialog={dialog}
        onClose={() => setDialog(undefined)}
        onDeleted={(id) => {
          if (id === sessionId) void navigate({ to: '/chat', search: true })
        }}
      />
    </div>
  )
}

const NoChats = ({ search: { q, category, archived } }: { search: ChatSearch }) => {
  const reason =
    (q && texts.noMatch) ||
    (archived && texts.emptyArchive) ||
    (category && texts.emptyCategory) ||
    texts.empty
  return (
    <div className="chat-no-rows">
      <p className="quiet small">{reason}</p>
      {(q || archived || category) && (
        <Link to="." search={{}} className="small">
          {texts.clear}
        </Link>
      )}
    </div>
  )
}

interface ChatRowProps {
  session: ChatSession
  onDialog: (dialog: SessionDialog) => void
  onNavigate?: () => void
}

const ChatRow = ({ session, onDialog, onNavigate }: ChatRowProps) => {
  const actions = useSessionActions(session, onDialog)
  const title = session.title || chat.untitled
  return (
    <li className="chat-row">
      <Link
        to="/chat/$sessionId"
        params={{ sessionId: session.id }}
        search
        className="chat-row-link"
        {...(onNavigate && { onClick: onNavigate })}
      >
        <span className="chat-row-title">
          {session.unread && (
            <span className="chat-unread">
              <span className="visually-hidden">{texts.unread}</span>
            </span>
          )}
          <bdi className="truncate">{title}</bdi>
          {session.is_pinned && <Icon name="pin" />}
        </span>
        <span className="chat-row-note">
          {session.category_name && (
            <CategoryMark name={session.category_name} color={session.category_color} />
          )}
          <span className="truncate">{session.last_message_preview}</span>
          <Time iso={session.updated_at} />
        </span>
      </Link>
      <Menu
        label={texts.actions(title)}
        trigger={<IconButton icon="more" label={texts.actions(title)} isSmall />}
        actions={actions}
      />
    </li>
  )
}

/** Other apps may have stored any text as the color. */
export const CategoryMark = ({ name, color }: { name: string; color: string | null }) => (
  <span className="chat-category" title={name}>
    <span
      className="chat-category-dot"
      {...(color && CSS.supports('color', color) && { style: { backgroundColor: color } })}
    />
    <span className="visually-hidden">{name}</span>
  </span>
)
