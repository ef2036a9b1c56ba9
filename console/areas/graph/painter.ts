import { type Camera, type Size, toScreen } from './camera.ts'
import type { GraphColors } from './colors.ts'
import type { GraphLink, GraphModel } from './model.ts'
import type { Circle, GraphPlan } from './plan.ts'
import type { GraphScene } from './scene.ts'

const FULL_CIRCLE = Math.PI * 2
/** How opaque the area of a cluster is. */
const TINT = 0.2
const OPEN_TINT = 0.06
/** In pixels. */
const MIN_DOT = 1.5
const MAX_DOT = 9
/** The share of the space of a memory that it takes, least and most central. */
const DOT_SHARE = [0.28, 0.55] as const
const MAX_LINE = 5
const RING = 3

export interface Picture {
  model: GraphModel
  plan: GraphPlan
  scene: GraphScene
  colors: GraphColors
  /** The positions of memories. */
  bridges: ReadonlySet<number>
  selected: number | undefined
  hovered: number | undefined
}

/** The place of a memory in a drawing. */
export const memberAt = (
  { model, plan }: Pick<Picture, 'model' | 'plan'>,
  camera: Camera,
  size: Size,
  node: number,
): Circle => {
  const group = plan.groups[plan.groupOf[node] ?? 0]
  const spacing = group ? group.radius / Math.sqrt(group.size) : 1
  const highest = model.nodes[0]?.betweenness || 1
  const central = (model.nodes[node]?.betweenness ?? 0) / highest
  const share = DOT_SHARE[0] + (DOT_SHARE[1] - DOT_SHARE[0]) * central ** 0.5
  const [x = 0, y = 0] = plan.positions.subarray(node * 2, node * 2 + 2)
  const at = toScreen(camera, size, { x, y, radius: spacing * share })
  return { ...at, radius: Math.min(Math.max(at.radius, MIN_DOT), MAX_DOT) }
}

export const isInView = ({ x, y, radius }: Circle, { width, height }: Size): boolean =>
  x + radius > 0 && y + radius > 0 && x - radius < width && y - radius < height

const lineColor = ({ kind }: GraphLink, colors: GraphColors): string => {
  if (kind === 'explicit') return colors.accent
  if (kind === 'supersedes') return colors.warn
  return kind === 'thread' ? colors.strongLine : colors.line
}

/** Draws the visible clusters, their links, and the memories of the open ones. */
export const paint = (
  context: CanvasRenderingContext2D,
  size: Size,
  camera: Camera,
  picture: Picture,
): void => {
  const { plan, scene, selected } = picture
  context.clearRect(0, 0, size.width, size.height)
  const outer = scene.visible.filter((group) => plan.groups[group]?.parent === undefined)
  paintGroups(context, size, camera, picture, outer)
  paintMemberLinks(context, size, camera, picture)
  for (const group of scene.visible)
    if (scene.isOpen(group))
      for (const node of plan.groups[group]?.members ?? [])
        if (scene.isShown[node]) paintMember(context, size, camera, picture, node)
  if (selected !== undefined && scene.isShown[selected])
    paintSelected(context, size, camera, picture, selected)
}

/** Clusters side by side, with what is in the open ones. */
const paintGroups = (
  context: CanvasRenderingContext2D,
  size: Size,
  camera: Camera,
  picture: Picture,
  groups: readonly number[],
): void => {
  const { plan, scene } = picture
  const parent = plan.groups[groups[0] ?? 0]?.parent
  paintGroupLinks(context, size, camera, picture, parent)
  for (const group of groups) {
    paintGroup(context, size, camera, picture, group)
    const children = plan.groups[group]?.children ?? []
    if (scene.isOpen(group) && children.length)
      paintGroups(context, size, camera, picture, children)
  }
}

const paintGroupLinks = (
  context: CanvasRenderingContext2D,
  size: Size,
  camera: Camera,
  { plan, scene, colors }: Picture,
  parent: number | undefined,
): void => {
  const links = scene.groupLinks.filter(({ from }) => plan.groups[from]?.parent === parent)
  const most = links.reduce((max, { count }) => Math.max(max, count), 1)
  context.strokeStyle = colors.strongLine
  for (const { from, to, count } of links) {
    const [a, b] = [plan.groups[from], plan.groups[to]]
    if (!a || !b) continue
    const [start, end] = [toScreen(camera, size, a), toScreen(camera, size, b)]
    const share = count / most
    context.globalAlpha = 0.08 + 0.5 * Math.sqrt(share)
    context.lineWidth = Math.max(0.75, MAX_LINE * share)
    context.beginPath()
    context.moveTo(start.x, start.y)
    context.lineTo(end.x, end.y)
    context.stroke()
  }
  context.globalAlpha = 1
}

const disc = (context: CanvasRenderingContext2D, { x, y, radius }: Circle): void => {
  context.beginPath()
  context.arc(x, y, Math.max(radius, 0), 0, FULL_CIRCLE)
}

const colorOf = ({ plan, colors }: Picture, group: number): string => {
  const { rank = 0, isUnlinked = false } = plan.groups[group] ?? {}
  if (isUnlinked) return colors.strongLine
  return colors.clusters[rank % colors.clusters.length] ?? colors.ink
}

const paintGroup = (
  context: CanvasRenderingContext2D,
  size: Size,
  camera: Camera,
  picture: Picture,
  group: number,
): void => {
  const planned = picture.plan.groups[group]
  if (!planned) return
  const at = toScreen(camera, size, planned)
  if (!isInView(at, size)) return
  const color = colorOf(picture, group)
  const isOpen = picture.scene.isOpen(group)
  const count = picture.scene.counts[group] ?? 0
  disc(context, at)
  context.fillStyle = picture.colors.card
  context.fill()
  context.fillStyle = color
  context.globalAlpha = isOpen ? OPEN_TINT : TINT / 2
  context.fill()
  if (!isOpen) {
    // Its area is the number of its memories at that time.
    disc(context, { ...at, radius: at.radius * Math.sqrt(count / planned.size) })
    context.globalAlpha = TINT
    context.fill()
    disc(context, at)
  }
  context.globalAlpha = count ? 1 : 0.4
  context.strokeStyle = color
  context.lineWidth = 1.5
  context.setLineDash(planned.isUnlinked ? [4, 4] : [])
  context.stroke()
  context.setLineDash([])
  context.globalAlpha = 1
}

const paintLine = (context: CanvasRenderingContext2D, from: Circle, to: Circle): void => {
  context.beginPath()
  context.moveTo(from.x, from.y)
  context.lineTo(to.x, to.y)
  context.stroke()
}

const paintMemberLinks = (
  context: CanvasRenderingContext2D,
  size: Size,
  camera: Camera,
  picture: Picture,
): void => {
  context.lineWidth = 1
  for (const link of picture.scene.memberLinks) {
    const from = memberAt(picture, camera, size, link.from)
    const to = memberAt(picture, camera, size, link.to)
    if (!isInView(from, size) && !isInView(to, size)) continue
    context.strokeStyle = lineColor(link, picture.colors)
    paintLine(context, from, to)
  }
}

const paintMember = (
  context: CanvasRenderingContext2D,
  size: Size,
  camera: Camera,
  picture: Picture,
  node: number,
): void => {
  const at = memberAt(picture, camera, size, node)
  if (!isInView(at, size)) return
  disc(context, at)
  context.fillStyle = colorOf(picture, picture.plan.groupOf[node] ?? 0)
  context.fill()
  if (!picture.bridges.has(node) && node !== picture.hovered) return
  disc(context, { ...at, radius: at.radius + RING })
  context.strokeStyle = node === picture.hovered ? picture.colors.accent : picture.colors.ink
  context.lineWidth = 1.5
  context.stroke()
}

/** A ring, and lines to its neighbors, or to the closed clusters that they are in. */
const paintSelected = (
  context: CanvasRenderingContext2D,
  size: Size,
  camera: Camera,
  picture: Picture,
  selected: number,
): void => {
  const { model, plan, scene, colors } = picture
  const at = memberAt(picture, camera, size, selected)
  const isVisible = new Set(scene.visible)
  context.strokeStyle = colors.accent
  context.lineWidth = 1.5
  for (const { from, to } of model.linksOf[selected] ?? []) {
    const other = from === selected ? to : from
    if (!scene.isShown[other]) continue
    let group = plan.groupOf[other] ?? 0
    while (!isVisible.has(group)) group = plan.groups[group]?.parent ?? group
    const closed = plan.groups[group]
    const isDrawn = scene.isOpen(group) && closed?.members.length
    if (isDrawn) paintLine(context, at, memberAt(picture, camera, size, other))
    else if (closed) paintLine(context, at, toScreen(camera, size, closed))
  }
  disc(context, { ...at, radius: at.radius + RING })
  context.fillStyle = colorOf(picture, plan.groupOf[selected] ?? 0)
  context.fill()
  context.lineWidth = 3
  context.stroke()
}
