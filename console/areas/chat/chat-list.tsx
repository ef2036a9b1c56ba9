import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Input, SearchField } from 'react-aria-components'
import { listSessionCategories } from '../../../shared/contract/categories.ts'
import { listChatSessions } from '../../../shared/contract/chat-sessions.ts'
import { sharing } from '../../features.ts'
import { useApiPages } from '../../session/pages.ts'
import { useApi } from '../../session/query.ts'
import { chat } from '../../texts/chat.ts'
import { IconButton } from '../../ui/button.tsx'
import { Select } from '../../ui/choice.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useSearchText } from '../../ui/search-text.ts'
import { CategoriesDialog } from './categories.tsx'
import { ChatRows } from './chat-rows.tsx'
import type { ChatSearch } from './search.ts'

const texts = chat.list
const route = getRouteApi('/chat')

const PAGE_SIZE = 50
const ALL = 'all'
const ARCHIVED = 'archived'

const useChats = ({ q, category, archived }: ChatSearch) =>
  useApiPages(
    listChatSessions,
    { q, category, archived },
    (before) => ({
      query: {
        limit: PAGE_SIZE,
        ...(q && { q }),
        ...(category && { category_id: category }),
        ...(archived && { archived }),
        ...(before && { before }),
      },
    }),
    (page) => (page.length === PAGE_SIZE ? page.at(-1)?.id : undefined),
  )

/** @param onNavigate closes the drawer on narrow screens. */
export const ChatList = ({ onNavigate }: { onNavigate?: () => void }) => {
  const search = route.useSearch()
  const chats = useChats(search)
  const click = onNavigate && { onClick: onNavigate }
  return (
    <nav className="chat-list" aria-label={texts.label}>
      <Link to="/chat" search className="button primary" {...click}>
        <Icon name="plus" />
        {texts.create}
      </Link>
      <SearchChats />
      <FilterChats />
      <ChatRows chats={chats} search={search} {...(onNavigate && { onNavigate })} />
      <div className="chat-list-links">
        <Link to="/chat/agents" search className="shell-link" {...click}>
          <Icon name="user" />
          {texts.agents}
        </Link>
        {sharing && (
          <Link to={sharing.to} className="shell-link" {...click}>
            <Icon name="share" />
            {texts.shares}
          </Link>
        )}
      </div>
    </nav>
  )
}

const useSetSearch = () => {
  const navigate = useNavigate()
  return (change: ChatSearch) => void navigate({ to: '.', search: change, replace: true })
}

const SearchChats = () => {
  const { q: applied = '', ...others } = route.useSearch()
  const setSearch = useSetSearch()
  const { text, setText } = useSearchText(applied, (q) => setSearch({ ...others, ...(q && { q }) }))
  return (
    <SearchField aria-label={texts.search} value={text} onChange={setText} className="chat-search">
      <Icon name="search" />
      <Input className="input" placeholder={texts.search} dir="auto" />
    </SearchField>
  )
}

const FilterChats = () => {
  const [isEditing, setEditing] = useState(false)
  const { q, category, archived } = route.useSearch()
  const setSearch = useSetSearch()
  const categories = useApi(listSessionCategories, {}).data ?? []
  const words = q ? { q } : {}
  const choose = (id: string) => {
    if (id === ALL) setSearch(words)
    else if (id === ARCHIVED) setSearch({ ...words, archived: true })
    else setSearch({ ...words, category: id })
  }
  return (
    <div className="chat-filter">
      <Select
        label={texts.filter}
        isLabelHidden
        value={archived ? ARCHIVED : (category ?? ALL)}
        onChange={choose}
        options={[
          { id: ALL, label: texts.all },
          ...categories.map(({ id, name }) => ({ id, label: name })),
          { id: ARCHIVED, label: texts.archived },
        ]}
      />
      <IconButton icon="tag" label={texts.categories} onPress={() => setEditing(true)} />
      <CategoriesDialog isOpen={isEditing} onClose={() => setEditing(false)} />
    </div>
  )
}
