import { bridgeMemories } from '../../../shared/contract/graph.ts'
import { useApi } from '../../session/query.ts'
import { graph as texts } from '../../texts/graph.ts'
import { Loaded } from '../../ui/loaded.tsx'

const BRIDGES = 10

export const Bridges = ({ onSelect }: { onSelect: (id: string) => void }) => {
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
