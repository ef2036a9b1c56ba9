import { type Agent, type AgentProposal, updateAgent } from '../../../shared/contract/agents.ts'
import { useAction } from '../../session/query.ts'
import { chat } from '../../texts/chat.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { Time } from '../../ui/time.tsx'
import { notify } from '../../ui/toast.tsx'

const texts = chat.agents

const FIELDS = [
  ['agent_type', texts.type],
  ['mandate', texts.mandate],
  ['self_definition', texts.self],
  ['boundaries', texts.boundaries],
] as const

const asText = (value: string | string[] | null | undefined): string =>
  (Array.isArray(value) ? value.join('\n') : value) || texts.none

/** The definition that an agent proposes, beside the present one. */
export const Proposal = ({ agent, proposal }: { agent: Agent; proposal: AgentProposal }) => {
  const decide = useAction(updateAgent, {
    onSuccess: (_, { body }) => notify(body?.accept ? texts.accepted : texts.declined),
  })
  const answer = (accept: boolean) =>
    decide.mutate({ params: { slug: agent.slug }, body: { accept } })
  return (
    <section className="card stack">
      <div>
        <h2>{texts.proposal}</h2>
        <p className="small quiet">
          <Time iso={proposal.proposed_at} />
        </p>
      </div>
      {FIELDS.filter(([field]) => proposal[field] !== undefined).map(([field, label]) => (
        <div key={field} className="stack-small">
          <h3>{label}</h3>
          <dl className="details">
            <dt>{texts.proposalNow}</dt>
            <dd className="user-text quiet" dir="auto">
              {asText(agent[field])}
            </dd>
            <dt>{texts.proposalNext}</dt>
            <dd className="user-text" dir="auto">
              {asText(proposal[field])}
            </dd>
          </dl>
        </div>
      ))}
      {decide.error && <ErrorNotice error={decide.error} />}
      <div className="form-actions">
        <Button look="primary" isPending={decide.isPending} onPress={() => answer(true)}>
          {texts.accept}
        </Button>
        <Button isDisabled={decide.isPending} onPress={() => answer(false)}>
          {texts.decline}
        </Button>
      </div>
    </section>
  )
}
