import { useState } from 'react'
import { common } from '../../texts/common.ts'
import { graph as texts } from '../../texts/graph.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { clusterToken } from './colors.ts'
import { nameOf } from './group-name.ts'
import type { GraphModel } from './model.ts'
import type { GraphPlan } from './plan.ts'
import type { GraphScene } from './scene.ts'

/** Memories of a cluster that are listed at once. */
const PAGE = 20

export interface GroupTreeProps {
  model: GraphModel
  plan: GraphPlan
  scene: GraphScene
  onSelect: (id: string) => void
  onToggle: (group: number) => void
}

/** The clusters of the drawing as text: each opens to its clusters or memories. */
export const GroupTree = (props: GroupTreeProps) => {
  const { plan } = props
  const outer = [...plan.groups.keys()].filter((group) => plan.groups[group]?.parent === undefined)
  return (
    <section className="card stack-small" aria-label={texts.clusterList}>
      <h2>{texts.clusters}</h2>
      <p className="small quiet">{texts.clustersNote}</p>
      <Groups {...props} groups={outer} />
    </section>
  )
}

const Groups = ({ groups, ...props }: GroupTreeProps & { groups: readonly number[] }) => (
  <ul className="plain graph-entries">
    {groups.map((group) => (
      <Group key={group} {...props} group={group} />
    ))}
  </ul>
)

const Group = ({ group, ...props }: GroupTreeProps & { group: number }) => {
  const { plan, scene, onToggle } = props
  const planned = plan.groups[group]
  const isOpen = scene.isOpen(group)
  if (!planned) return null
  return (
    <li>
      <button
        type="button"
        className="graph-entry"
        aria-expanded={isOpen}
        onClick={() => onToggle(group)}
      >
        <Icon name="chevron" />
        <GroupMark plan={plan} group={group} />
        <span className="truncate" dir="auto">
          {nameOf(plan, group)}
        </span>
        <span className="badge numeric">{texts.clusterSize(scene.counts[group] ?? 0)}</span>
      </button>
      {isOpen &&
        (planned.children.length ? (
          <Groups {...props} groups={planned.children} />
        ) : (
          <Members {...props} members={planned.members} />
        ))}
    </li>
  )
}

const Members = ({
  model,
  scene,
  members,
  onSelect,
}: GroupTreeProps & { members: readonly number[] }) => {
  const [count, setCount] = useState(PAGE)
  // Nodes are numbered by descending betweenness.
  const shown = members.filter((node) => scene.isShown[node]).toSorted((a, b) => a - b)
  return (
    <>
      <ul className="plain graph-entries">
        {shown.slice(0, count).map((index) => {
          const node = model.nodes[index]
          return (
            node && (
              <li key={node.id}>
                <button type="button" className="graph-entry" onClick={() => onSelect(node.id)}>
                  <span className="truncate" dir="auto">
                    {node.label}
                  </span>
                </button>
              </li>
            )
          )
        })}
      </ul>
      {shown.length > count && (
        <Button isSmall look="quiet" onPress={() => setCount(count + PAGE)}>
          {common.more}
        </Button>
      )}
    </>
  )
}

export const GroupMark = ({ plan, group }: { plan: GraphPlan; group: number }) => {
  const { rank = 0, isUnlinked = false } = plan.groups[group] ?? {}
  return (
    <span
      className="graph-mark"
      data-unlinked={isUnlinked}
      style={{ color: `var(${isUnlinked ? '--line-strong' : clusterToken(rank)})` }}
      aria-hidden="true"
    />
  )
}
