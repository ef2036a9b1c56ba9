import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { type AdminUser, createUser, listUsers } from '../../../shared/contract/admin.ts'
import { useApiPages } from '../../session/pages.ts'
import { admin } from '../../texts/admin.ts'
import { common } from '../../texts/common.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { EmptyState } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { useSearchText } from '../../ui/search-text.ts'
import { Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { notify } from '../../ui/toast.tsx'
import { ReasonDialog } from './reason-dialog.tsx'
import { UserBadges } from './user-badges.tsx'

const texts = admin.users
const route = getRouteApi('/admin/users')

export const UsersPage = () => {
  const { q } = route.useSearch()
  const navigate = route.useNavigate()
  const [isCreating, setIsCreating] = useState(false)
  const query = useApiPages(
    listUsers,
    { q },
    (cursor) => ({ query: { ...(q && { q }), ...(cursor && { cursor }) } }),
    ({ next_cursor }) => next_cursor,
  )
  const clear = () => void navigate({ to: '.', search: {}, replace: true })
  return (
    <Page
      title={texts.title}
      intro={texts.intro}
      actions={<Button onPress={() => setIsCreating(true)}>{texts.create}</Button>}
    >
      {isCreating && <CreateDialog onClose={() => setIsCreating(false)} />}
      <SearchField />
      <Loaded query={query}>
        {({ pages }) => {
          const users = pages.flatMap((page) => page.users)
          return users.length ? (
            <UserTable users={users} />
          ) : (
            <EmptyState
              icon="search"
              title={texts.empty}
              actions={<Button onPress={clear}>{texts.clear}</Button>}
            >
              {texts.emptyNote}
            </EmptyState>
          )
        }}
      </Loaded>
      <LoadMore query={query} />
    </Page>
  )
}

const CreateDialog = ({ onClose }: { onClose: () => void }) => {
  const navigate = useNavigate()
  const [email, setEmail] = useState('')
  return (
    <ReasonDialog
      row={createUser}
      title={texts.create}
      note={texts.createNote}
      label={texts.create}
      isReasonRequired
      args={(reason) => ({ body: { email, reason } })}
      onDone={({ id }) => {
        notify(texts.done)
        void navigate({ to: '/admin/users/$userId', params: { userId: id } })
      }}
      onClose={onClose}
    >
      <TextField
        name="email"
        type="email"
        label={texts.email}
        isRequired
        value={email}
        onChange={setEmail}
      />
    </ReasonDialog>
  )
}

const SearchField = () => {
  const { q = '' } = route.useSearch()
  const navigate = route.useNavigate()
  const { text, setText } = useSearchText(
    q,
    (typed) => void navigate({ to: '.', search: typed ? { q: typed } : {}, replace: true }),
  )
  return (
    <div className="filter-field">
      <TextField
        label={texts.search}
        isLabelHidden
        placeholder={texts.searchNote}
        type="search"
        value={text}
        onChange={setText}
        maxLength={255}
      />
    </div>
  )
}

const UserTable = ({ users }: { users: readonly AdminUser[] }) => (
  <Table
    label={texts.list}
    columns={[texts.user, texts.tier, texts.created, texts.lastSeen, texts.state]}
  >
    {users.map((user) => (
      <tr key={user.id}>
        <td className="wide-cell">
          <Link to="/admin/users/$userId" params={{ userId: user.id }}>
            <bdi>{user.email}</bdi>
          </Link>
          {user.display_name && (
            <div className="quiet small">
              <bdi>{user.display_name}</bdi>
            </div>
          )}
        </td>
        <td className="nowrap">{user.tier}</td>
        <td>
          <Time iso={user.created_at} />
        </td>
        <td>{user.last_seen_at ? <Time iso={user.last_seen_at} /> : common.never}</td>
        <td>
          <UserBadges user={user} />
        </td>
      </tr>
    ))}
  </Table>
)
