import { getRouteApi, Link, Outlet, useNavigate, useParams } from '@tanstack/react-router'
import {
  type DirectThread,
  listDirectThreads,
  startDirectThread,
} from '../../../shared/contract/dm.ts'
import { useApiPages } from '../../session/pages.ts'
import { useAction } from '../../session/query.ts'
import { directMessages as texts } from '../../texts/people.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { Switch } from '../../ui/choice.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { EmptyState } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Time } from '../../ui/time.tsx'

const route = getRouteApi('/people/messages')

const PAGE = 50
/** How soon a new message and the presence of a user appear. */
const REFRESH_MS = 6000

/** The threads of the user, most recent first, and kept current. */
export const useThreads = (isArchivedShown: boolean) =>
  useApiPages(
    listDirectThreads,
    { isArchivedShown },
    (before) => ({
      query: { include_archived: isArchivedShown, limit: PAGE, ...(before && { before }) },
    }),
    (page) => (page.length === PAGE ? page.at(-1)?.thread_id : null),
    { pollMs: REFRESH_MS },
  )

export const MessagesPage = () => {
  const { dialog, archived = false } = route.useSearch()
  const navigate = route.useNavigate()
  const { threadId } = useParams({ strict: false })
  const threads = useThreads(archived)
  const search = archived ? { archived } : {}
  const start = (
    <Button
      look="primary"
      icon="plus"
      onPress={() => void navigate({ to: '.', search: { ...search, dialog: 'create' } })}
    >
      {texts.start}
    </Button>
  )
  return (
    <Page title={texts.title} intro={texts.intro} actions={start}>
      <Loaded query={{ ...threads, data: threads.data?.pages.flat() }}>
        {(list) =>
          list.length || archived || threadId ? (
            <div className={threadId ? 'dm has-thread' : 'dm'}>
              <section className="dm-threads" aria-label={texts.threads}>
                <Switch
                  isSelected={archived}
                  onChange={(shown) =>
                    void navigate({ to: '.', search: shown ? { archived: true } : {} })
                  }
                >
                  {texts.showArchived}
                </Switch>
                <ThreadList threads={list} />
                <LoadMore query={threads} />
              </section>
              <Outlet />
            </div>
          ) : (
            <EmptyState icon="chat" title={texts.empty} actions={start}>
              {texts.emptyNote}
            </EmptyState>
          )
        }
      </Loaded>
      <StartThreadDialog
        isOpen={dialog === 'create'}
        onClose={() => void navigate({ to: '.', search, replace: true })}
      />
    </Page>
  )
}

const ThreadList = ({ threads }: { threads: readonly DirectThread[] }) => (
  <ul className="list">
    {threads.map((thread) => (
      <li key={thread.thread_id} className="dm-item">
        <Link
          to="/people/messages/$threadId"
          params={{ threadId: thread.thread_id }}
          search={true}
          className="dm-link"
        >
          <Avatar
            url={thread.peer_avatar_url}
            name={thread.peer_display_name}
            isOnline={thread.peer_online}
          />
          <span className="grow">
            <span className="row spread">
              <bdi className="dm-name truncate">{thread.peer_display_name}</bdi>
              <span className="quiet small">
                <Time iso={thread.last_message_at} />
              </span>
            </span>
            <span className="row spread dm-last">
              <span className="truncate quiet grow small">{thread.last_message?.content}</span>
              {thread.archived && <span className="badge">{texts.archived}</span>}
              {thread.unread > 0 && (
                <span className="badge accent">
                  <span aria-hidden="true">{thread.unread}</span>
                  <span className="visually-hidden">{texts.unread(thread.unread)}</span>
                </span>
              )}
            </span>
            {thread.peer_online && <span className="visually-hidden">{texts.online}</span>}
          </span>
        </Link>
      </li>
    ))}
  </ul>
)

interface StartThreadDialogProps {
  isOpen: boolean
  onClose: () => void
}

const StartThreadDialog = ({ isOpen, onClose }: StartThreadDialogProps) => {
  const navigate = useNavigate()
  const start = useAction(startDirectThread, {
    onSuccess: ({ thread_id }) =>
      void navigate({
        to: '/people/messages/$threadId',
        params: { threadId: thread_id },
        replace: true,
      }),
  })
  const close = () => {
    start.reset()
    onClose()
  }
  return (
    <Dialog title={texts.start} isOpen={isOpen} onClose={close}>
      <Form
        onSubmit={(data) => start.mutate({ body: { username: String(data.get('username')) } })}
        error={start.error}
        fields={['username']}
      >
        <TextField
          name="username"
          label={texts.username}
          note={texts.usernameNote}
          isRequired
          maxLength={100}
          autoComplete="off"
          autoFocus
        />
        <DialogActions action={texts.startAction} isPending={start.isPending} onCancel={close} />
      </Form>
    </Dialog>
  )
}
