import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { type MemoryGraph, memoryGraph } from '../../../shared/contract/graph.ts'
import { useApi } from '../../session/query.ts'
import { graph as texts } from '../../texts/graph.ts'
import { Button } from '../../ui/button.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { EmptyState, Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { ViewSwitch } from './controls.tsx'
import { Explorer } from './explorer.tsx'
import { createModel } from './model.ts'
import { DEFAULT_SIZE } from './search.ts'
import { useGraphSearch } from './use-graph-search.ts'

export const GraphPage = () => {
  const { search } = useGraphSearch()
  const graph = useApi(memoryGraph, { query: { limit: search.size ?? DEFAULT_SIZE } })
  const { data } = graph
  const intro = data?.nodes.length
    ? texts.intro(
        data.nodes.length,
        Math.max(data.node_count, data.nodes.length),
        data.edges.length,
      )
    : undefined
  return (
    <Page
      title={texts.title}
      intro={intro}
      isWide
      actions={data?.nodes.length ? <ViewSwitch /> : undefined}
    >
      <Loaded query={graph} lines={6}>
        {(loaded) =>
          loaded.nodes.length ? (
            <LoadedGraph graph={loaded} onRefresh={() => graph.refetch()} />
          ) : (
            <NoMemories />
          )
        }
      </Loaded>
    </Page>
  )
}

interface LoadedGraphProps {
  graph: MemoryGraph
  onRefresh: () => unknown
}

const LoadedGraph = ({ graph, onRefresh }: LoadedGraphProps) => {
  const model = useMemo(() => createModel(graph), [graph])
  return (
    <>
      <Explorer model={model} />
      {/* Below: it must not move the drawing when it goes. */}
      {graph.computed_at === null && (
        <Notice
          action={
            <Button isSmall onPress={() => void onRefresh()}>
              {texts.refresh}
            </Button>
          }
        >
          {texts.preparing}
        </Notice>
      )}
    </>
  )
}

const NoMemories = () => (
  <EmptyState
    icon="graph"
    title={texts.empty}
    actions={
      <>
        <Link className="button primary" to="/memories">
          {texts.addMemory}
        </Link>
        <Link className="button" to="/connect">
          {texts.connect}
        </Link>
      </>
    }
  >
    {texts.emptyNote}
  </EmptyState>
)
