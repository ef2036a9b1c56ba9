import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type Agent, listAgents } from '../../../shared/contract/agents.ts'
import { useApi } from '../../session/query.ts'
import { chat } from '../../texts/chat.ts'
import { Button } from '../../ui/button.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { EmptyState } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Time } from '../../ui/time.tsx'
import { CreateAgentDialog } from './create-agent.tsx'
import { ChatScreen } from './header.tsx'

const texts = chat.agents

export const AgentsPage = () => {
  const [isCreating, setCreating] = useState(false)
  const agents = useApi(listAgents, {})
  const create = (
    <Button look="primary" icon="plus" onPress={() => setCreating(true)}>
      {texts.create}
    </Button>
  )
  return (
    <ChatScreen>
      <Page title={texts.title} intro={texts.intro} actions={create}>
        <Loaded query={agents}>
          {(list) =>
            list.length ? (
              <ul className="list" aria-label={texts.list}>
                {list.map((agent) => (
                  <AgentRow key={agent.slug} agent={agent} />
                ))}
              </ul>
            ) : (
              <EmptyState
                icon="user"
                title={texts.empty}
                actions={
                  <>
                    <Link to="/connect" className="button primary">
                      {texts.connect}
                    </Link>
                    <Button onPress={() => setCreating(true)}>{texts.create}</Button>
                  </>
                }
              >
                {texts.emptyNote}
              </EmptyState>
            )
          }
        </Loaded>
      </Page>
      <CreateAgentDialog isOpen={isCreating} onClose={() => setCreating(false)} />
    </ChatScreen>
  )
}

const AgentRow = ({ agent }: { agent: Agent }) => (
  <li className="chat-agent-row">
    <div className="row">
      <Link
        to="/chat/agents/$slug"
        params={{ slug: agent.slug }}
        search
        className="truncate"
        title={agent.slug}
      >
        {agent.slug}
      </Link>
      {agent.agent_type && (
        <span className="badge truncate" title={agent.agent_type}>
          {agent.agent_type}
        </span>
      )}
      {agent.proposal && <span className="badge accent">{texts.proposalBadge}</span>}
      <span className="small quiet chat-agent-count">
        {texts.exchanges(agent.exchange_count)}
        {agent.last_exchange_at && (
          <>
            , <Time iso={agent.last_exchange_at} />
          </>
        )}
      </span>
    </div>
    {(agent.mandate ?? agent.self_definition) && (
      <p className="quiet truncate">{agent.mandate ?? agent.self_definition}</p>
    )}
  </li>
)
