import { type Agent, deleteAgent, listAgents, updateAgent } from '../../shared/contract/agents.ts'
import { withHint } from '../api-errors.ts'
import { changeConfirmed } from '../confirmed.ts'
import { type Context, signedInClient } from '../context.ts'
import { definedFields } from '../defined.ts'
import { usageError } from '../errors.ts'
import { formatLastUse } from '../format.ts'
import { findItem, type Kind } from '../ids.ts'
import { printFields, printList } from '../list.ts'
import { oneLine } from '../output.ts'

export const agents: Kind<Agent> = {
  noun: 'Agent',
  command: 'svc agents list',
  all: (client) => client.call(listAgents),
  id: ({ slug }) => slug,
  names: ({ slug }) => [slug],
}

export const runAgentsList = async (context: Context): Promise<void> =>
  printList(context, {
    items: await agents.all(signedInClient(context)),
    columns: {
      AGENT: ({ slug }) => slug,
      EXCHANGES: ({ exchange_count }) => exchange_count,
      'LAST EXCHANGE': ({ last_exchange_at }) => formatLastUse(last_exchange_at),
      PROPOSAL: ({ proposal }) => (proposal ? 'open' : ''),
      MANDATE: ({ mandate }) => mandate,
    },
    minor: ['LAST EXCHANGE', 'EXCHANGES'],
    empty: 'No agents. To create one, run: svc talk --agent NAME "…"',
  })

const findAgent = (context: Context, typed: string): Promise<Agent> =>
  findItem(signedInClient(context), agents, typed)

/** Prints the definition of an agent, and the one that it proposes. */
export const runAgentsShow = async (
  context: Context,
  { agent: typed }: { agent: string },
): Promise<void> => {
  const agent = await findAgent(context, typed)
  const { proposal } = agent
  printFields(context, agent, {
    agent: agent.slug,
    ...definition(agent),
    exchanges: agent.exchange_count,
    last: formatLastUse(agent.last_exchange_at),
    created: agent.created_at,
    updated: agent.updated_at,
  })
  if (context.json || !proposal) return
  context.io.print('\nproposes:')
  printFields(context, proposal, definition(proposal))
  context.io.info(
    `To accept or decline it, run: svc agents edit ${agent.slug} --accept, or: --decline`,
  )
}

const definition = ({
  agent_type,
  self_definition,
  mandate,
  boundaries,
}: Partial<Pick<Agent, 'agent_type' | 'self_definition' | 'mandate' | 'boundaries'>>) => ({
  type: agent_type,
  definition: self_definition,
  mandate,
  boundaries: boundaries?.join('; '),
})

interface EditAgentArgs {
  agent: string
  definition?: string
  mandate?: string
  type?: string
  boundary?: string[]
  clearBoundaries?: boolean
  accept?: boolean
  decline?: boolean
}

export const runAgentsEdit = async (context: Context, args: EditAgentArgs): Promise<void> => {
  const body = definedFields({
    self_definition: args.definition,
    mandate: args.mandate,
    agent_type: args.type,
    boundaries: args.clearBoundaries ? [] : args.boundary,
    accept: args.accept ?? (args.decline ? false : undefined),
  })
  if (Object.keys(body).length === 0)
    throw usageError(
      'There are no changes to make.',
      'Add --mandate, --accept or another option. --help lists them.',
    )
  const { slug } = await findAgent(context, args.agent)
  const agent = await signedInClient(context)
    .call(updateAgent, { params: { slug }, body })
    .catch(withHint([409], `To see what it proposes, run: svc agents show ${slug}`))
  if (context.json) context.io.printJson(agent)
  context.io.info(`Changed the agent ${slug}.`)
}

export const runAgentsDelete = (
  context: Context,
  { agent: typed, yes }: { agent: string; yes?: boolean },
): Promise<void> =>
  changeConfirmed(context, {
    yes,
    words: ['agents', 'delete', typed],
    find: () => findAgent(context, typed),
    question: ({ slug, exchange_count }) =>
      `Delete the agent ${oneLine(slug)} and its exchanges (${exchange_count})? Its memories are kept.`,
    change: ({ slug }) => signedInClient(context).call(deleteAgent, { params: { slug } }),
    response: (agent) => ({ ...agent, deleted: true }),
    done: ({ slug }) => `Deleted the agent ${oneLine(slug)}.`,
  })
