import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { common } from '../../texts/common.ts'
import { graph as texts } from '../../texts/graph.ts'
import { number } from '../../texts/tools/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/notice.tsx'
import { Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { nameOf } from './group-name.ts'
import { GroupMark } from './group-tree.tsx'
import {
  bridgesOf,
  type GraphFilter,
  type GraphModel,
  type GraphNode,
  isLinkShown,
  isNodeShown,
} from './model.ts'
import type { GraphPlan } from './plan.ts'
import { useGraphSearch } from './use-graph-search.ts'

const PAGE = 100

interface NodeListProps {
  model: GraphModel
  filter: GraphFilter
  plan: GraphPlan | undefined
}

/** The nodes of the drawing as a table: the accessible form of the graph. */
export const NodeList = ({ model, filter, plan }: NodeListProps) => {
  const { change } = useGraphSearch()
  const [count, setCount] = useState(PAGE)
  const nodes = useMemo(
    () => model.nodes.filter((node) => isNodeShown(node, filter)),
    [model, filter],
  )
  const bridges = useMemo(() => new Set(bridgesOf(model)), [model])
  if (nodes.length === 0)
    return (
      <EmptyState
        icon="clock"
        title={texts.nothingShown}
        actions={
          <Button onPress={() => change({ from: undefined, to: undefined })}>
            {texts.showAll}
          </Button>
        }
      >
        {texts.emptyNote}
      </EmptyState>
    )
  return (
    <div className="stack">
      <Table
        label={texts.list}
        columns={[
          texts.memory,
          texts.betweenness,
          texts.linkCount,
          texts.clusterColumn,
          texts.when,
        ]}
      >
        {nodes.slice(0, count).map((node) => (
          <NodeRow
            key={node.id}
            node={node}
            isBridge={bridges.has(node)}
            links={
              model.linksOf[node.index]?.filter((link) => isLinkShown(link, filter)).length ?? 0
            }
            plan={plan}
          />
        ))}
      </Table>
      {nodes.length > count && (
        <div>
          <Button onPress={() => setCount(count + PAGE)}>{common.more}</Button>
        </div>
      )}
    </div>
  )
}

interface NodeRowProps {
  node: GraphNode
  isBridge: boolean
  links: number
  plan: GraphPlan | undefined
}

const NodeRow = ({ node, isBridge, links, plan }: NodeRowProps) => (
  <tr>
    <td>
      <Link to={`/memories/${node.id}` as string}>
        <bdi>{node.label}</bdi>
      </Link>{' '}
      {isBridge && <span className="badge accent">{texts.bridge}</span>}
    </td>
    <td className="numeric">{texts.share(node.betweenness)}</td>
    <td className="numeric">{number(links)}</td>
    <td>{plan && <Cluster plan={plan} group={plan.groupOf[node.index] ?? 0} />}</td>
    <td className="graph-time-cell">
      <Time iso={new Date(node.time).toISOString()} />
    </td>
  </tr>
)

const Cluster = ({ plan, group }: { plan: GraphPlan; group: number }) => (
  <span className="graph-cluster">
    <GroupMark plan={plan} group={group} />
    <bdi>{nameOf(plan, group)}</bdi>
  </span>
)
