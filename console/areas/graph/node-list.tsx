import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { common } from '../../texts/common.ts'
import { graph as texts } from '../../texts/graph.ts'
import { number } from '../../texts/tools/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/notice.tsx'
import { Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import type { Layout } from './layout.ts'
import {
  bridgesOf,
  type GraphFilter,
  type GraphModel,
  type GraphNode,
  isLinkShown,
  isNodeShown,
} from './model.ts'
import { ClusterMark } from './overview.tsx'
import { useGraphSearch } from './use-graph-search.ts'

const PAGE = 100

interface NodeListProps {
  model: GraphModel
  filter: GraphFilter
  layout: Layout
}

/** The nodes of the drawing as a table: the accessible form of the graph. */
export const NodeList = ({ model, filter, layout: { step } }: NodeListProps) => {
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
            cluster={step?.clusters[node.index]}
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
  cluster: number | undefined
}

const NodeRow = ({ node, isBridge, links, cluster }: NodeRowProps) => (
  <tr>
    <td>
      <Link to={`/memories/${node.id}` as string}>
        <bdi>{node.label}</bdi>
      </Link>{' '}
      {isBridge && <span className="badge accent">{texts.bridge}</span>}
    </td>
    <td className="numeric">{texts.share(node.betweenness)}</td>
    <td className="numeric">{number(links)}</td>
    <td>
      {cluster !== undefined && (
        <span className="graph-cluster">
          <ClusterMark cluster={cluster} />
          {cluster + 1}
        </span>
      )}
    </td>
    <td className="graph-time-cell">
      <Time iso={new Date(node.time).toISOString()} />
    </td>
  </tr>
)
