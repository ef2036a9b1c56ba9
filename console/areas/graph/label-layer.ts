import { type Camera, type Rectangle, type Size, toScreen } from './camera.ts'
import { type LabelCandidate, type PlacedLabel, placeLabels, placeMost } from './labels.ts'
import { isInView, memberAt, type Picture } from './painter.ts'
import type { Circle } from './plan.ts'

export interface GroupNames {
  wordsOf: (group: number) => readonly string[]
  nameOf: (group: number) => string
}

export interface LabelElements {
  /** Has the labels of memories. */
  layer: HTMLElement
  buttonOf: (group: number) => HTMLElement | undefined
}

type Value = { group: number } | { node: number }

/** In pixels, as in the styles. */
const LINE_HEIGHT = 16
const OPEN_HEIGHT = 24
const MEMBER_HEIGHT = 18
const PADDING = 8
const DISTANCE = 5
/** A smaller circle has no name. */
const MIN_NAMED_RADIUS = 14
/** Memories that are closer together have no labels until one zooms in. */
const MIN_SPACING = 9
const MAX_MEMBER_LABELS = 40
/** Labels that are tried, most central memory first. */
const MAX_MEMBER_CANDIDATES = 400
/** In characters. The panel has the rest. */
const MEMBER_LENGTH = 26

const shorten = (label: string): string =>
  label.length > MEMBER_LENGTH ? `${label.slice(0, MEMBER_LENGTH).trimEnd()}…` : label

const isInside = ({ left, right, top, bottom }: Rectangle, { width, height }: Size): boolean =>
  left >= 0 && top >= 0 && right <= width && bottom <= height

const boxAt = (x: number, y: number, width: number, height: number): Rectangle => ({
  left: x - width / 2,
  right: x + width / 2,
  top: y - height / 2,
  bottom: y + height / 2,
})

const clamp = (value: number, min: number, max: number) =>
  Math.max(min, Math.min(value, Math.max(min, max)))

/** In the circle: its words one below the other and its number; at worst a part of its first word. */
const closedBoxes = ({ x, y, radius }: Circle, widths: readonly number[]): Rectangle[] => {
  const whole = widths.flatMap((_, i) => {
    const words = widths.length - i
    const height = (words + 1) * LINE_HEIGHT
    if (words > 1 && height > radius * 2) return []
    return boxAt(x, y, Math.max(...widths.slice(0, words)), height)
  })
  return [...whole, boxAt(x, y, Math.min(widths[0] ?? 0, radius * 2), LINE_HEIGHT * 2)]
}

/** Above the circle, but in the drawing; below each other if several are there. */
const openBoxes = ({ x, y, radius }: Circle, width: number, size: Size): Rectangle[] =>
  [0, 1, 2].map((line) =>
    boxAt(
      clamp(x, width / 2 + 4, size.width - width / 2 - 4),
      clamp(y - radius, OPEN_HEIGHT / 2 + 4, size.height) + line * (OPEN_HEIGHT + 4),
      width,
      OPEN_HEIGHT,
    ),
  )

type WidthOf = (text: string, font: string) => number

/** Measures texts in the font of an element, each once. */
const createWidthOf = (element: HTMLElement): WidthOf => {
  const context = document.createElement('canvas').getContext('2d')
  const { fontFamily } = getComputedStyle(element)
  const widths = new Map<string, number>()
  return (text, font) => {
    const key = `${font} ${text}`
    const known = widths.get(key)
    if (known !== undefined) return known
    if (context) context.font = `${font} ${fontFamily}`
    const width = Math.ceil(context?.measureText(text).width ?? 0) + PADDING * 2
    widths.set(key, width)
    return width
  }
}

interface View {
  picture: Picture
  camera: Camera
  size: Size
}

const groupCandidates = (
  { picture, camera, size }: View,
  names: GroupNames,
  widthOf: WidthOf,
): LabelCandidate<Value>[] => {
  const { plan, scene } = picture
  const found = scene.visible.flatMap((group): LabelCandidate<Value>[] => {
    const planned = plan.groups[group]
    const at = planned && toScreen(camera, size, planned)
    if (!at || !isInView(at, size) || at.radius < MIN_NAMED_RADIUS) return []
    const boxes = scene.isOpen(group)
      ? openBoxes(at, widthOf(names.nameOf(group), '600 13px'), size)
      : closedBoxes(
          at,
          names.wordsOf(group).map((word) => widthOf(word, '600 13px')),
        )
    return [{ value: { group }, boxes: boxes.filter((box) => isInside(box, size)) }]
  })
  // The names of open clusters say where one is; large clusters come before small ones.
  const rankOf = ({ value }: LabelCandidate<Value>) =>
    'group' in value && !scene.isOpen(value.group) ? (plan.groups[value.group]?.size ?? 0) : 1e9
  return found.toSorted((a, b) => rankOf(b) - rankOf(a))
}

const memberCandidates = (
  { picture, camera, size }: View,
  widthOf: WidthOf,
): LabelCandidate<Value>[] => {
  const { model, plan, scene, selected, hovered } = picture
  const nodes = scene.visible.flatMap((group) => {
    const planned = plan.groups[group]
    if (!planned?.members.length || !scene.isOpen(group)) return []
    const { radius } = toScreen(camera, size, planned)
    return radius / Math.sqrt(planned.size) < MIN_SPACING ? [] : planned.members
  })
  const first = [hovered, selected].flatMap((node) => (node === undefined ? [] : node))
  const ordered = new Set([...first, ...nodes.toSorted((a, b) => a - b)])
  const found: LabelCandidate<Value>[] = []
  for (const node of ordered) {
    if (found.length === MAX_MEMBER_CANDIDATES) break
    const at = memberAt(picture, camera, size, node)
    if (!scene.isShown[node] || !isInView({ ...at, radius: 0 }, size)) continue
    const width = widthOf(shorten(model.nodes[node]?.label ?? ''), '400 12px')
    const dx = at.radius + DISTANCE + width / 2
    const boxes = [dx, -dx].map((d) => boxAt(at.x + d, at.y, width, MEMBER_HEIGHT))
    found.push({ value: { node }, boxes: boxes.filter((box) => isInside(box, size)) })
  }
  return found
}

const showGroups = (
  picture: Picture,
  placed: readonly PlacedLabel<Value>[],
  buttonOf: LabelElements['buttonOf'],
): void => {
  const byGroup = new Map(
    placed.flatMap((label) => ('group' in label.value ? [[label.value.group, label]] : [])),
  )
  for (const group of picture.scene.visible) {
    const button = buttonOf(group)
    const label = byGroup.get(group)
    if (!button) continue
    button.toggleAttribute('data-hidden', !label)
    if (!label) continue
    const { left, top, right, bottom } = label.box
    const lines = Math.round((bottom - top) / LINE_HEIGHT) - 1
    button.dataset.lines = picture.scene.isOpen(group) ? '' : String(lines)
    button.style.translate = `${left}px ${top}px`
    button.style.width = `${right - left}px`
    button.style.height = `${bottom - top}px`
  }
}

/** @param spans the labels that are shown; changed to those of `placed`. */
const showMembers = (
  { model, selected }: Picture,
  placed: readonly PlacedLabel<Value>[],
  layer: HTMLElement,
  spans: HTMLElement[],
): void => {
  const labels = placed.flatMap(({ value, box }) =>
    'node' in value ? [{ node: value.node, box }] : [],
  )
  labels.forEach(({ node, box }, i) => {
    const span = spans[i] ?? layer.appendChild(document.createElement('span'))
    spans[i] = span
    span.dir = 'auto'
    span.textContent = shorten(model.nodes[node]?.label ?? '')
    span.dataset.selected = String(node === selected)
    span.style.translate = `${box.left}px ${box.top}px`
    span.style.width = `${box.right - box.left}px`
  })
  for (const span of spans.splice(labels.length)) span.remove()
}

/** Places the names of clusters and the labels of memories over the drawing, none on another. */
export const createLabelLayer = ({ layer, buttonOf }: LabelElements, names: GroupNames) => {
  const widthOf = createWidthOf(layer)
  const spans: HTMLElement[] = []
  return (picture: Picture, camera: Camera, size: Size): void => {
    const view = { picture, camera, size }
    const groups = placeMost(groupCandidates(view, names, widthOf))
    const all = placeLabels(
      [
        ...groups.map(({ value, choice, box }) => ({ value, boxes: [box], choice })),
        ...memberCandidates(view, widthOf),
      ],
      groups.length + MAX_MEMBER_LABELS,
    )
    showGroups(picture, groups, buttonOf)
    showMembers(picture, all.slice(groups.length), layer, spans)
  }
}
