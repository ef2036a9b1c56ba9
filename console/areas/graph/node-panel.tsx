import { Link } from '@tanstack/react-router'
import { getMemory } from '../../../shared/contract/memories.ts'
import { useApi } from '../../session/query.ts'
import { graph as texts } from '../../texts/graph.ts'
import { IconButton } from '../../ui/button.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Time } from '../../ui/time.tsx'
import type { GraphModel, GraphNode } from './model.ts'

interface NodePanelProps {
  model: GraphModel
  id: string
  onSelect: (id: string | undefined) => void
}

/** The selected memory with its place in the graph. */
export const NodePanel = ({ model, id, onSelect }: NodePanelProps) => {
  const memory = useApi(getMemory, { params: { memory_id: id } })
  const node = model.byId.get(id)
  return (
    <section className="card stack" aria-label={texts.selected}>
      <div className="row spread">
        <h2>{texts.selected}</h2>
        <IconButton
          icon="close"
          label={texts.unselect}
          isSmall
          onPress={() => onSelect(undefined)}
        />
      </div>
      <Loaded query={memory} lines={2}>
        {({ content_text }) => (
          <p className="user-text graph-text" dir="auto">
            {content_text}
          </p>
        )}
      </Loaded>
      {memory.data && (
        <Link className="button" to={`/memories/${id}` as string}>
          {texts.open}
        </Link>
      )}
      {node ? (
        <>
          <NodeDetails node={node} />
          <Neighbors model={model} node={node} onSelect={onSelect} />
        </>
      ) : (
        <p className="quiet">{texts.notInGraph}</p>
      )}
    </section>
  )
}

const NodeDetails = ({ node }: { node: GraphNode }) => (
  <dl className="details">
    <dt>{texts.when}</dt>
    <dd>
      <Time iso={new Date(node.time).toISOString()} />
    </dd>
    <dt>{texts.betweenness}</dt>
    <dd>{texts.share(node.betweenness)}</dd>
    {node.thread && (
      <>
        <dt>{texts.thread}</dt>
        <dd>
          <bdi>{node.thread}</bdi>
        </dd>
      </>
    )}
  </dl>
)

const Neighbors = ({
  model,
  node,
  onSelect,
}: Pick<NodePanelProps, 'model' | 'onSelect'> & { node: GraphNode }) => {
  const links = model.linksOf[node.index] ?? []
  if (links.length === 0) return <p className="quiet">{texts.isolated}</p>
  return (
    <div className="stack-small">
      <h3>{texts.neighbors(links.length)}</h3>
      <ul className="plain graph-entries">
        {links.map((link) => {
          const other = model.nodes[link.from === node.index ? link.to : link.from]
          return (
            other && (
              <li key={`${link.kind} ${link.from} ${link.to}`}>
                <button type="button" className="graph-entry" onClick={() => onSelect(other.id)}>
                  <span className="truncate" dir="auto">
                    {other.label}
                  </span>
                  <span className={`graph-kind small ${link.kind}`}>{texts.kinds[link.kind]}</span>
                </button>
              </li>
            )
          )
        })}
      </ul>
    </div>
  )
}
