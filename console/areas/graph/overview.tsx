import { useMemo } from 'react'
import { bridgeMemories } from '../../../shared/contract/graph.ts'
import { useApi } from '../../session/query.ts'
import { graph as texts } from '../../texts/graph.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { COLORED_CLUSTERS, clusterToken } from './colors.ts'
import type { GraphModel, GraphNode } from './model.ts'

const BRIDGES = 10

interface OverviewProps {
  model: GraphModel
  clusters: Uint32Array | undefined
  onSelect: (id: string) => void
}

/** The bridge memories and the legend of the clusters, while no memory is selected. */
export const Overview = ({ model, clusters, onSelect }: OverviewProps) => (
  <>
    <Bridges onSelect={onSelect} />
    {clusters && <Clusters model={model} clusters={clusters} onSelect={onSelect} />}
  </>
)

const Bridges = ({ onSelect }: Pick<OverviewProps, 'onSelect'>) => {
  const bridges = useApi(bridgeMemories, { query: { limit: BRIDGES } })
  return (
    <section className="card stack-small" aria-label={texts.bridges}>
      <h2>{texts.bridges}</h2>
      <p className="small quiet">{texts.bridgesNote}</p>
      <Loaded query={bridges}>
        {({ bridge_memories }) =>
          bridge_memories.length ? (
            <ol className="plain graph-entries">
              {bridge_memories.map(({ memory_id, content_text, betweenness_score }) => (
                <li key={memory_id}>
                  <button type="button" className="graph-entry" onClick={() => onSelect(memory_id)}>
                    <span className="truncate" dir="auto">
                      {content_text}
                    </span>
                    <span className="badge numeric">{texts.share(betweenness_score)}</span>
                  </button>
                </li>
              ))}
            </ol>
          ) : (
            <p className="quiet">{texts.noBridges}</p>
          )
        }
      </Loaded>
    </section>
  )
}

interface Cluster {
  number: number
  size: number
  /** The most central memory. */
  center: GraphNode
}

/** The clusters with more than one memory, largest first. */
export const clustersOf = ({ nodes }: GraphModel, clusters: Uint32Array): Cluster[] => {
  const found: Cluster[] = []
  for (const node of nodes) {
    const number = clusters[node.index] ?? 0
    const known = found[number]
    if (known) known.size++
    else found[number] = { number, size: 1, center: node }
  }
  return found.filter(({ size }) => size > 1)
}

const Clusters = ({ model, clusters, onSelect }: OverviewProps & { clusters: Uint32Array }) => {
  const all = useMemo(() => clustersOf(model, clusters), [model, clusters])
  const others = all.length - COLORED_CLUSTERS
  return (
    <section className="card stack-small" aria-label={texts.clusters}>
      <h2>{texts.clusters}</h2>
      <p className="small quiet">{texts.clustersNote}</p>
      <ol className="plain graph-entries">
        {all.slice(0, COLORED_CLUSTERS).map(({ number, size, center }) => (
          <li key={number}>
            <button type="button" className="graph-entry" onClick={() => onSelect(center.id)}>
              <ClusterMark cluster={number} />
              <span className="truncate" dir="auto">
                {center.label}
              </span>
              <span className="badge numeric">{texts.clusterSize(size)}</span>
            </button>
          </li>
        ))}
      </ol>
      {others > 0 && (
        <p className="small quiet row">
          <ClusterMark cluster={COLORED_CLUSTERS} />
          {texts.otherClusters(others)}
        </p>
      )}
    </section>
  )
}

export const ClusterMark = ({ cluster }: { cluster: number }) => (
  <span
    className="graph-mark"
    style={{ background: `var(${clusterToken(cluster)})` }}
    aria-hidden="true"
  />
)
