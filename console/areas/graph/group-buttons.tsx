import { type KeyboardEvent, useState } from 'react'
import { graph as texts } from '../../texts/graph.ts'
import { nameOf, wordsOf } from './group-name.ts'
import type { GraphPlan } from './plan.ts'
import type { GraphScene } from './scene.ts'

interface GroupButtonsProps {
  plan: GraphPlan
  scene: GraphScene
  /** The element of each cluster, which the drawing places. */
  elements: Map<number, HTMLElement>
  onToggle: (group: number) => void
  onFocus: (group: number) => void
}

const DIRECTIONS: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** The nearest visible cluster in a direction: one that is aside of it counts as further away. */
const nextGroup = (
  { groups }: GraphPlan,
  { visible }: GraphScene,
  from: number,
  [right, down]: readonly [number, number],
): number | undefined => {
  const start = groups[from]
  let found: number | undefined
  let least = Number.POSITIVE_INFINITY
  for (const group of visible) {
    const at = groups[group]
    if (!start || !at || group === from) continue
    const [dx, dy] = [at.x - start.x, at.y - start.y]
    const along = dx * right + dy * down
    const aside = Math.abs(dx * down) + Math.abs(dy * right)
    if (along <= 0 || aside > along * 2) continue
    const cost = along + aside * 2
    if (cost < least) [found, least] = [group, cost]
  }
  return found
}

/** The clusters of the drawing. One of them is in the tab order, and the arrow keys move between them. */
export const GroupButtons = ({ plan, scene, elements, onToggle, onFocus }: GroupButtonsProps) => {
  const [current, setCurrent] = useState(0)
  const active = scene.visible.includes(current) ? current : scene.visible[0]
  const onKeyDown = (event: KeyboardEvent, group: number): void => {
    const isOpen = scene.isOpen(group)
    const outer = isOpen ? group : plan.groups[group]?.parent
    const direction = DIRECTIONS[event.key]
    const next = direction && nextGroup(plan, scene, group, direction)
    if (!direction && !(event.key === 'Escape' && outer !== undefined)) return
    event.preventDefault()
    if (next !== undefined) elements.get(next)?.focus({ preventScroll: true })
    else if (!direction && outer !== undefined) {
      elements.get(outer)?.focus({ preventScroll: true })
      onToggle(outer)
    }
  }
  return (
    <ul className="graph-groups plain" aria-label={texts.clusters}>
      {scene.visible.map((group) => (
        <li key={group}>
          <button
            type="button"
            className="graph-group"
            ref={(element) => {
              if (element) elements.set(group, element)
              return () => void elements.delete(group)
            }}
            aria-expanded={scene.isOpen(group)}
            tabIndex={group === active ? 0 : -1}
            onClick={() => onToggle(group)}
            onFocus={() => {
              setCurrent(group)
              onFocus(group)
            }}
            onKeyDown={(event) => onKeyDown(event, group)}
          >
            {wordsOf(plan, group).map((word) => (
              <bdi key={word} className="graph-group-word" aria-hidden="true">
                {word}
              </bdi>
            ))}
            <span className="graph-group-count" aria-hidden="true">
              {texts.clusterSize(scene.counts[group] ?? 0)}
            </span>
            <span className="visually-hidden">
              {texts.clusterLabel(nameOf(plan, group), scene.counts[group] ?? 0)}
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}
