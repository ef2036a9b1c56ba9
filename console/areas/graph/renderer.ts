import { MultiUndirectedGraph } from 'graphology'
import Sigma from 'sigma'
import { EdgeLineProgram } from 'sigma/rendering'
import { drawHighlight, drawRing, LABEL_FONT } from './canvas.ts'
import type { GraphColors } from './colors.ts'
import type { LayoutStep } from './layout-start.ts'
import {
  bridgesOf,
  type GraphFilter,
  type GraphLink,
  type GraphModel,
  type GraphNode,
  isLinkShown,
  isNodeShown,
} from './model.ts'

/** Everything that the drawing depends on. */
export interface GraphView {
  colors: GraphColors
  filter: GraphFilter
  layout: LayoutStep
  selected: string | undefined
}

interface NodeAttributes {
  node: GraphNode
  x: number
  y: number
  size: number
  label: string
}

interface LinkAttributes {
  link: GraphLink
}

const MIN_SIZE = 2.5
const MAX_SIZE = 12
/** In characters. The panel has the rest. */
const LABEL_LENGTH = 36
/** More links than these are not drawn while the graph is moved. */
const MANY_LINKS = 3_000
const PAN_STEP = 60
const ZOOM_STEP = 1.5
/** The zoom at which a memory and its neighbours fill the drawing. */
const FOCUS_RATIO = 0.25

const graphOf = ({ nodes, links }: GraphModel) => {
  const graph = new MultiUndirectedGraph<NodeAttributes, LinkAttributes>()
  const highest = nodes[0]?.betweenness || 1
  for (const node of nodes) {
    const size = MIN_SIZE + (MAX_SIZE - MIN_SIZE) * (node.betweenness / highest) ** 0.75
    graph.addNode(node.index, { node, x: 0, y: 0, size, label: shorten(node.label) })
  }
  for (const link of links) if (link.from !== link.to) graph.addEdge(link.from, link.to, { link })
  return graph
}

const shorten = (label: string): string =>
  label.length > LABEL_LENGTH ? `${label.slice(0, LABEL_LENGTH).trimEnd()}…` : label

const linkColor = ({ kind }: GraphLink, colors: GraphColors): string => {
  if (kind === 'explicit') return colors.accent
  if (kind === 'supersedes') return colors.warn
  return kind === 'thread' ? colors.strongLine : colors.line
}

export type Renderer = ReturnType<typeof createRenderer>

/** Draws a graph with WebGL. @throws Error if the browser has no WebGL. */
export const createRenderer = (
  container: HTMLElement,
  model: GraphModel,
  initial: GraphView,
  onSelect: (id: string | undefined) => void,
) => {
  const graph = graphOf(model)
  const bridges = bridgesOf(model)
  const duration = matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 200
  let view = initial
  let near = new Set<number>()

  const place = ({ layout: { positions } }: GraphView): void =>
    graph.updateEachNodeAttributes((_, attributes) => ({
      ...attributes,
      x: positions[attributes.node.index * 2] ?? 0,
      y: positions[attributes.node.index * 2 + 1] ?? 0,
    }))

  const indexOf = (id: string | undefined) => (id ? model.byId.get(id)?.index : undefined)

  const findNear = (): Set<number> => {
    const index = indexOf(view.selected)
    const links = index === undefined ? [] : (model.linksOf[index] ?? [])
    return new Set(links.flatMap(({ from, to }) => [from, to]))
  }

  const showNode = (_: string, { node, ...attributes }: NodeAttributes) => {
    const { colors, filter, layout, selected } = view
    if (!isNodeShown(node, filter)) return { ...attributes, hidden: true }
    const isSelected = node.id === selected
    const isDimmed = near.size > 0 && !near.has(node.index) && !isSelected
    const cluster = Math.min(layout.clusters[node.index] ?? 0, colors.clusters.length - 1)
    const color = (isDimmed ? colors.line : colors.clusters[cluster]) ?? colors.ink
    return {
      ...attributes,
      color,
      label: isDimmed ? null : attributes.label,
      highlighted: isSelected,
      zIndex: isDimmed ? 0 : 1,
    }
  }

  const showLink = (_: string, { link }: LinkAttributes) => {
    const { colors, filter } = view
    const { from, to } = link
    const index = indexOf(view.selected)
    const isOfSelected = index === undefined || from === index || to === index
    const isOfOthers = near.size > 0 && !isOfSelected
    return { hidden: isOfOthers || !isLinkShown(link, filter), color: linkColor(link, colors) }
  }

  place(view)
  near = findNear()
  const sigma = new Sigma<NodeAttributes, LinkAttributes>(graph, container, {
    allowInvalidContainer: true,
    defaultEdgeType: 'line',
    edgeProgramClasses: { line: EdgeLineProgram },
    hideEdgesOnMove: model.links.length > MANY_LINKS,
    hideLabelsOnMove: true,
    labelFont: LABEL_FONT,
    labelSize: 12,
    labelColor: { color: view.colors.ink },
    labelDensity: 0.4,
    labelRenderedSizeThreshold: 5,
    minCameraRatio: 0.01,
    maxCameraRatio: 4,
    zIndex: true,
    nodeReducer: showNode,
    edgeReducer: showLink,
    defaultDrawNodeHover: (context, node) => drawHighlight(context, node, view.colors),
  })
  sigma.createCanvasContext('rings', { style: { pointerEvents: 'none' } })
  sigma.resize(true)

  const drawRings = (): void => {
    const context = sigma.getCanvases().rings?.getContext('2d')
    if (!context) return
    const { width, height } = sigma.getDimensions()
    context.clearRect(0, 0, width, height)
    for (const { index } of bridges) {
      const data = sigma.getNodeDisplayData(index)
      if (!data || data.hidden) continue
      const size = sigma.scaleSize(data.size)
      drawRing(context, { ...sigma.framedGraphToViewport(data), size }, view.colors)
    }
  }
  sigma.on('afterRender', drawRings)
  sigma.on('clickNode', ({ node }) => onSelect(graph.getNodeAttributes(node).node.id))
  sigma.on('clickStage', () => onSelect(undefined))
  sigma.refresh()
  const camera = sigma.getCamera()
  const move = (state: Partial<{ x: number; y: number; ratio: number }>): void => {
    if (duration) void camera.animate(state, { duration })
    else camera.setState(state)
  }

  return {
    update(next: GraphView): void {
      const isMoved = next.layout !== view.layout
      view = next
      near = findNear()
      if (isMoved) place(view)
      sigma.setSetting('labelColor', { color: view.colors.ink })
      sigma.refresh()
    },

    /** Moves the camera to a node. */
    focus(id: string): void {
      const data = sigma.getNodeDisplayData(indexOf(id))
      if (data) move({ x: data.x, y: data.y, ratio: Math.min(camera.ratio, FOCUS_RATIO) })
    },

    /** Moves the camera by steps. */
    pan(right: number, down: number): void {
      const { x, y } = sigma.viewportToFramedGraph({ x: 0, y: 0 })
      const to = sigma.viewportToFramedGraph({ x: right * PAN_STEP, y: down * PAN_STEP })
      move({ x: camera.x + to.x - x, y: camera.y + to.y - y })
    },

    zoomIn: (): void => move({ ratio: camera.getBoundedRatio(camera.ratio / ZOOM_STEP) }),
    zoomOut: (): void => move({ ratio: camera.getBoundedRatio(camera.ratio * ZOOM_STEP) }),
    reset: (): void => move({ x: 0.5, y: 0.5, ratio: 1 }),
    stop: (): void => sigma.kill(),
  }
}
