import type { Rectangle } from './camera.ts'

/** A text that can be shown at one of several places, the best first. */
export interface LabelCandidate<T> {
  value: T
  boxes: readonly Rectangle[]
}

export interface PlacedLabel<T> {
  value: T
  /** The number of the chosen box. */
  choice: number
  box: Rectangle
}

/** Free pixels around a label. */
const GAP = 2

const overlap = (a: Rectangle, b: Rectangle): boolean =>
  a.left < b.right + GAP &&
  b.left < a.right + GAP &&
  a.top < b.bottom + GAP &&
  b.top < a.bottom + GAP

const isFree = <T>(box: Rectangle, placed: Iterable<PlacedLabel<T>>, own?: PlacedLabel<T>) => {
  for (const other of placed) if (other !== own && overlap(box, other.box)) return false
  return true
}

/**
 * Places labels such that none covers another, and as many as possible: first each at its last place,
 * then, in their order, at a better one that is still free.
 */
export const placeMost = <T>(candidates: readonly LabelCandidate<T>[]): PlacedLabel<T>[] => {
  const last = candidates.map(({ value, boxes }) => ({ value, boxes: boxes.slice(-1) }))
  const placed = new Map(placeLabels(last).map((label) => [label.value, label]))
  for (const { value, boxes } of candidates) {
    const own = placed.get(value)
    const choice = boxes.findIndex((box) => isFree(box, placed.values(), own))
    const box = boxes[choice]
    if (box) placed.set(value, { value, choice, box })
  }
  return [...placed.values()]
}

/** Places labels in their order such that none covers another. One without a free place is left out. */
export const placeLabels = <T>(
  candidates: Iterable<LabelCandidate<T>>,
  maxLabels = Number.POSITIVE_INFINITY,
): PlacedLabel<T>[] => {
  const placed: PlacedLabel<T>[] = []
  for (const { value, boxes } of candidates) {
    if (placed.length >= maxLabels) break
    const choice = boxes.findIndex((box) => isFree(box, placed))
    const box = boxes[choice]
    if (box) placed.push({ value, choice, box })
  }
  return placed
}
