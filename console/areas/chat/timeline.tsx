import { agentTimeline } from '../../../shared/contract/agents.ts'
import { useApiPages } from '../../session/pages.ts'
import { chat } from '../../texts/chat.ts'
import { LoadMore } from '../../ui/load-more.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Time } from '../../ui/time.tsx'
import { AnswerText } from './running-turn.tsx'

const texts = chat.agents

/** The questions to an agent and its answers, newest first. */
export const AgentTimeline = ({ slug }: { slug: string }) => {
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
