import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type CaptureSession, listCaptures } from '../../../shared/contract/capture.ts'
import { ASSISTANT_NAMES, assistantName } from '../../../shared/origin.ts'
import { useApiPages } from '../../session/pages.ts'
import { captured as texts } from '../../texts/captured.ts'
import { common } from '../../texts/common.ts'
import { memoriesOf } from '../../texts/counts.ts'
import { memories } from '../../texts/memories.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/choice.tsx'
import { CopyBlock } from '../../ui/copy.tsx'
import { Icon } from '../../ui/icon.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { EmptyState } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { formatTime, Time } from '../../ui/time.tsx'
import { notifyError } from '../../ui/toast.tsx'
import { deleteConversation, restoreConversation } from './captured-actions.ts'

const route = getRouteApi('/memories/captured')
const PAGE = 50
/** A conversation appears at once where activity is recorded, and otherwise after this time. */
const REFRESH_MS = 60_000
/** No assistant has this name: theirs begin with a letter or a digit. */
const ANY = '*'

/** The conversations with assistants that were captured, each to open, delete and restore as a whole. */
export const CapturedPage = () => {
  const { client } = route.useSearch()
  const query = useApiPages(
    listCaptures,
    { client },
    (cursor) => ({
      query: { limit: PAGE, ...(client && { client }), ...(cursor && { cursor }) },
    }),
    ({ next_cursor }) => next_cursor,
    { pollMs: REFRESH_MS },
  )
  const sessions = query.data?.pages.flatMap((page) => page.sessions)
  return (
    <Page
      title={texts.title}
      intro={texts.intro}
      actions={
        <Link className="button" to="/memories">
          <Icon name="back" />
          {memories.back}
        </Link>
      }
    >
      {(client || sessions?.length !== 0) && <AssistantFilter sessions={sessions ?? []} />}
      <Loaded query={{ ...query, data: sessions }}>
        {(list) =>
          list.length ? (
            <ul className="list" aria-label={texts.list}>
              {list.map((each) => (
                <Conversation key={each.thread} conversation={each} />
              ))}
            </ul>
          ) : (
            <Empty client={client} />
          )
        }
      </Loaded>
      <LoadMore query={query} />
    </Page>
  )
}

const AssistantFilter = ({ sessions }: { sessions: readonly CaptureSession[] }) => {
  const { client } = route.useSearch()
  const navigate = route.useNavigate()
  const found = [...sessions.map((each) => each.client), ...(client ? [client] : [])]
  const clients = [...new Set([...Object.keys(ASSISTANT_NAMES), ...found])]
  return (
    <div className="capture-filter">
      <Select
        label={texts.assistant}
        isLabelHidden
        options={[
          { id: ANY, label: texts.anyAssistant },
          ...clients.map((id) => ({ id, label: assistantName(id) })),
        ]}
        value={client ?? ANY}
        onChange={(id) => void navigate({ to: '.', search: id === ANY ? {} : { client: id } })}
      />
    </div>
  )
}

const Conversation = ({ conversation }: { conversation: CaptureSession }) => {
  const { client, project, session, thread, memories: live, deleted } = conversation
  const { first_at, last_at } = conversation
  const isDeleted = live === 0
  return (
    <li className="capture-row">
      <div className="grow">
        <div className="row">
          <Link
            className="capture-name"
            to="/memories"
            search={{ thread, ...(isDeleted && { deleted: true }) }}
          >
            <bdi>{project ?? texts.noProject}</bdi>
          </Link>
          <span className="badge capture-client">{assistantName(client)}</span>
          {isDeleted && <span className="badge warn">{texts.isDeleted}</span>}
        </div>
        <p className="quiet small">
          {memoriesOf(isDeleted ? deleted : live)}
          {!isDeleted && deleted > 0 && ` (${texts.partlyDeleted(deleted)})`}
          {' · '}
          <Time iso={first_at} />
          {formatTime(first_at) !== formatTime(last_at) && (
            <>
              {' – '}
              <Time iso={last_at} />
            </>
          )}
        </p>
        <p className="quiet small capture-session">
          <bdi className="truncate mono" title={session}>
            {session}
          </bdi>
        </p>
      </div>
      <Actions conversation={conversation} isDeleted={isDeleted} />
    </li>
  )
}

interface ActionsProps {
  conversation: CaptureSession
  isDeleted: boolean
}

/** The last button changes from Delete to Restore in place, so that it keeps the focus. */
const Actions = ({ conversation, isDeleted }: ActionsProps) => {
  const [isPending, setPending] = useState(false)
  const { client, project, last_at, deleted } = conversation
  const name = texts.named(assistantName(client), project, formatTime(last_at))
  const run = (action: typeof deleteConversation) => {
    setPending(true)
    void action(conversation)
      .catch(notifyError)
      .finally(() => setPending(false))
  }
  const restoring = {
    'aria-label': texts.restoreNamed(name),
    onPress: () => run(restoreConversation),
    isPending,
  }
  return (
    <div className="row">
      {!isDeleted && deleted > 0 && (
        <Button isSmall {...restoring}>
          {texts.restore}
        </Button>
      )}
      {isDeleted ? (
        <Button key="last" isSmall {...restoring}>
          {texts.restore}
        </Button>
      ) : (
        <Button
          key="last"
          isSmall
          look="danger"
          aria-label={texts.deleteNamed(name)}
          isPending={isPending}
          onPress={() => run(deleteConversation)}
        >
          {common.delete}
        </Button>
      )}
    </div>
  )
}

const Empty = ({ client }: { client: string | undefined }) => {
  const isKnown = client === undefined || Object.hasOwn(ASSISTANT_NAMES, client)
  return (
    <EmptyState
      icon="connect"
      title={client ? texts.none(assistantName(client)) : texts.empty}
      actions={
        <>
          {isKnown && (
            <div className="capture-command">
              <CopyBlock text={texts.command(client ?? 'codex')} label={texts.copyCommand} />
            </div>
          )}
          {client ? (
            <Link className="button" to="/memories/captured">
              {texts.all}
            </Link>
          ) : (
            <Link className="button" to="/connect">
              <Icon name="connect" />
              {texts.connect}
            </Link>
          )}
        </>
      }
    >
      {!client ? texts.emptyNote : isKnown ? texts.noneNote : texts.noneOther}
    </EmptyState>
  )
}
