import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiFailure } from '../../../shared/client.ts'
import {
  type Agent,
  agentTimeline,
  deleteAgent,
  getAgent,
  updateAgent,
} from '../../../shared/contract/agents.ts'
import { useApiPages } from '../../session/pages.ts'
import { forget, useAction, useApi } from '../../session/query.ts'
import { chat } from '../../texts/chat.ts'
import { common } from '../../texts/common.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Form } from '../../ui/form.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { EmptyState } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { RemovalDialog } from '../../ui/removal-dialog.tsx'
import { Time } from '../../ui/time.tsx'
import { notify } from '../../ui/toast.tsx'
import { AGENT_FIELDS, AgentFields, readAgentFields } from './agent-fields.tsx'
import { AgentTalk } from './agent-talk.tsx'
import { ChatScreen } from './header.tsx'
import { Proposal } from './proposal.tsx'
import { AnswerText } from './running-turn.tsx'

const texts = chat.agents
const route = getRouteApi('/chat/agents/$slug')

export const AgentPage = () => {
  const navigate = useNavigate()
  const { slug } = route.useParams()
  const agent = useApi(getAgent, { params: { slug } })
  const [dialog, setDialog] = useState<'edit' | 'delete'>()
  const all = (
    <Link to="/chat/agents" search className="button">
      {texts.all}
    </Link>
  )
  if (agent.error instanceof ApiFailure && agent.error.status === 404)
    return (
      <ChatScreen>
        <Page title={slug}>
          <EmptyState icon="user" title={texts.gone} actions={all}>
            {texts.goneNote}
          </EmptyState>
        </Page>
      </ChatScreen>
    )
  const actions = (
    <>
      {all}
      <Button icon="edit" isDisabled={!agent.data} onPress={() => setDialog('edit')}>
        {texts.edit}
      </Button>
      <Button icon="trash" look="danger" onPress={() => setDialog('delete')}>
        {texts.remove}
      </Button>
    </>
  )
  return (
    <ChatScreen>
      <Page title={slug} actions={actions} key={slug}>
        <Loaded query={agent}>
          {(data) => (
            <>
              {data.proposal && <Proposal agent={data} proposal={data.proposal} />}
              <Definition agent={data} />
              {dialog === 'edit' && (
                <EditAgentDialog agent={data} onClose={() => setDialog(undefined)} />
              )}
            </>
          )}
        </Loaded>
        <AgentTalk slug={slug} />
        <AgentTimeline slug={slug} />
      </Page>
      <RemovalDialog
        row={deleteAgent}
        entry={dialog === 'delete' ? { name: slug, args: { params: { slug } } } : undefined}
        texts={{
          title: texts.removeTitle,
          note: texts.removeNote,
          action: texts.remove,
          done: texts.removed,
        }}
        onClose={() => setDialog(undefined)}
        onDone={() => {
          forget(getAgent, { params: { slug } })
          void navigate({ to: '/chat/agents', search: true })
        }}
      />
    </ChatScreen>
  )
}

const Definition = ({ agent }: { agent: Agent }) => (
  <section className="card">
    <h2>{texts.definition}</h2>
    <dl className="details">
      <Detail label={texts.type} text={agent.agent_type} />
      <Detail label={texts.mandate} text={agent.mandate} />
      <Detail label={texts.self} text={agent.self_definition} />
      <Detail label={texts.boundaries} text={agent.boundaries.join('\n')} />
      <dt>{texts.since}</dt>
      <dd>
        <Time iso={agent.created_at} />
      </dd>
    </dl>
  </section>
)

const Detail = ({ label, text }: { label: string; text: string | null }) => (
  <>
    <dt>{label}</dt>
    <dd className="user-text" dir="auto">
      {text || <span className="quiet">{texts.none}</span>}
    </dd>
  </>
)

const EditAgentDialog = ({ agent, onClose }: { agent: Agent; onClose: () => void }) => {
  const update = useAction(updateAgent, {
    onSuccess: () => {
      notify(common.saved)
      onClose()
    },
  })
  return (
    <Dialog title={chat.agents.editTitle(agent.slug)} isOpen onClose={onClose}>
      <Form
        error={update.error}
        fields={AGENT_FIELDS}
        onSubmit={(data) =>
          update.mutate({ params: { slug: agent.slug }, body: readAgentFields(data) })
        }
      >
        <AgentFields agent={agent} />
        <DialogActions action={common.save} isPending={update.isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  )
}

/** The questions to an agent and its answers, newest first. */
const AgentTimeline = ({ slug }: { slug: string }) => {
  const timeline = useApiPages(
    agentTimeline,
    slug,
    (page) => ({ params: { slug }, query: { page: Number(page ?? 1) } }),
    ({ page, has_more }) => (has_more ? String(page + 1) : undefined),
  )
  return (
    <section className="stack">
      <h2>{texts.timeline}</h2>
      <Loaded query={timeline}>
        {({ pages }) => {
          const entries = pages.flatMap((page) => page.entries)
          if (!entries.length) return <p className="quiet">{texts.timelineEmpty}</p>
          return (
            <ol className="list" aria-label={texts.timeline}>
              {entries.map((entry) => (
                <li key={`${entry.created_at} ${entry.agent_message}`} className="stack-small">
                  <p className="small quiet">
                    <Time iso={entry.created_at} />
                  </p>
                  <h3>{texts.agentSaid}</h3>
                  <p className="user-text" dir="auto">
                    {entry.agent_message}
                  </p>
                  <h3>{texts.svcSaid}</h3>
                  <AnswerText text={entry.icog_response} />
                </li>
              ))}
            </ol>
          )
        }}
      </Loaded>
      <LoadMore query={timeline} />
    </section>
  )
}
