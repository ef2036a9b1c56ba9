import { aroundCircle, between, type Camera, fitTo, type Size, toScreen, zoomAt } from './camera.ts'
import { listenToGestures, type Point } from './gestures.ts'
import { createLabelLayer, type GroupNames, type LabelElements } from './label-layer.ts'
import { isInView, memberAt, type Picture, paint } from './painter.ts'
import { boundsOf } from './plan-pack.ts'

export interface StageElements extends LabelElements {
  canvas: HTMLCanvasElement
}

export interface StageEvents {
  /** A memory, or none, was clicked. */
  onSelect: (node: number | undefined) => void
  /** A closed cluster was clicked. */
  onOpen: (group: number) => void
}

export type Stage = ReturnType<typeof createStage>

const ZOOM_STEP = 1.5
const PAN_STEP = 60
const MOVE_MS = 300
/** How far from a memory a click still counts, in pixels. */
const REACH = 7
/** A memory that is shown alone has this share of its cluster around it. */
const MEMBER_SHARE = 0.35

interface View {
  picture: Picture
  camera: Camera
  size: Size
}

/** The memory of an open cluster at a point, or near it. */
const memberUnder = ({ picture, camera, size }: View, { x, y }: Point): number | undefined => {
  const { plan, scene } = picture
  let found: number | undefined
  let least = Number.POSITIVE_INFINITY
  for (const group of scene.visible) {
    if (!scene.isOpen(group)) continue
    for (const node of plan.groups[group]?.members ?? []) {
      if (!scene.isShown[node]) continue
      const at = memberAt(picture, camera, size, node)
      const distance = Math.hypot(at.x - x, at.y - y) - at.radius
      if (distance < Math.min(least, REACH)) [found, least] = [node, distance]
    }
  }
  return found
}

/** The innermost cluster at a point. */
const groupUnder = ({ picture, camera, size }: View, { x, y }: Point): number | undefined =>
  picture.scene.visible.findLast((group) => {
    const planned = picture.plan.groups[group]
    const at = planned && toScreen(camera, size, planned)
    return at && Math.hypot(at.x - x, at.y - y) <= at.radius
  })

/** Draws a graph on a canvas, with a camera that gestures and keys move. */
export const createStage = (
  elements: StageElements,
  initial: Picture,
  names: GroupNames,
  events: StageEvents,
) => {
  const { canvas } = elements
  const context = canvas.getContext('2d')
  const showLabels = createLabelLayer(elements, names)
  let picture = initial
  let hovered: number | undefined
  let size: Size = { width: canvas.clientWidth, height: canvas.clientHeight }
  let frame = 0
  let move: { from: Camera; to: Camera; since: number } | undefined

  const wholeCamera = (): Camera => fitTo(boundsOf(outerGroups()), size)
  const outerGroups = () => picture.plan.groups.filter(({ parent }) => parent === undefined)
  let camera = wholeCamera()
  /** Follows the size of the drawing until the camera is moved. */
  let isWhole = true

  const draw = (time: number): void => {
    frame = 0
    if (move) {
      const share = Math.min(Math.max((time - move.since) / MOVE_MS, 0), 1)
      camera = between(move.from, move.to, 1 - (1 - share) ** 3)
      if (share === 1) move = undefined
    }
    const shown = { ...picture, hovered }
    if (context) paint(context, size, camera, shown)
    showLabels(shown, camera, size)
    if (move) request()
  }
  const request = (): void => {
    frame ||= requestAnimationFrame(draw)
  }

  const go = (to: Camera, isAnimated = true): void => {
    isWhole = false
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
    if (isAnimated && !isStill) move = { from: camera, to, since: performance.now() }
    else {
      move = undefined
      camera = to
    }
    request()
  }
  const zoom = (at: Point, factor: number, isAnimated: boolean): void =>
    go(zoomAt(move?.to ?? camera, size, at, factor, wholeCamera()), isAnimated)
  const pan = (dx: number, dy: number, isAnimated: boolean): void => {
    const { x, y, scale } = move?.to ?? camera
    go({ x: x - dx / scale, y: y - dy / scale, scale }, isAnimated)
  }
  const middle = (): Point => ({ x: size.width / 2, y: size.height / 2 })

  const onClick = (at: Point): void => {
    const node = memberUnder({ picture, camera, size }, at)
    const group = groupUnder({ picture, camera, size }, at)
    if (node === undefined && group !== undefined && !picture.scene.isOpen(group))
      events.onOpen(group)
    else events.onSelect(node)
  }
  const onHover = (at: Point | undefined): void => {
    const node = at && memberUnder({ picture, camera, size }, at)
    const group = at && groupUnder({ picture, camera, size }, at)
    const isClosed = group !== undefined && !picture.scene.isOpen(group)
    canvas.style.cursor = node !== undefined || isClosed ? 'pointer' : 'grab'
    if (node === hovered) return
    hovered = node
    request()
  }
  const stopGestures = listenToGestures(canvas, {
    onPan: (dx, dy) => pan(dx, dy, false),
    onZoom: (at, factor) => zoom(at, factor, false),
    onClick,
    onHover,
  })

  const resize = (): void => {
    size = { width: canvas.clientWidth, height: canvas.clientHeight }
    canvas.width = size.width * devicePixelRatio
    canvas.height = size.height * devicePixelRatio
    context?.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0)
    if (isWhole) camera = wholeCamera()
    request()
  }
  const observer = new ResizeObserver(resize)
  observer.observe(canvas)

  return {
    update(next: Picture): void {
      picture = next
      request()
    },
    /** Shows a cluster, or everything. */
    showGroup(group: number | undefined): void {
      const planned = group === undefined ? undefined : picture.plan.groups[group]
      go(planned ? fitTo(aroundCircle(planned), size) : wholeCamera())
      isWhole = planned === undefined
    },
    /** Moves to a cluster that is out of view, with what is around it. */
    reveal(group: number): void {
      const planned = picture.plan.groups[group]
      const target = move?.to ?? camera
      if (planned && !isInView(toScreen(target, size, planned), size))
        this.showGroup(planned.parent)
    },
    showMember(node: number): void {
      const group = picture.plan.groups[picture.plan.groupOf[node] ?? 0]
      const [x = 0, y = 0] = picture.plan.positions.subarray(node * 2, node * 2 + 2)
      if (group) go(fitTo(aroundCircle({ x, y, radius: group.radius * MEMBER_SHARE }), size))
    },
    pan: (right: number, down: number): void => pan(-right * PAN_STEP, -down * PAN_STEP, true),
    zoomIn: (): void => zoom(middle(), ZOOM_STEP, true),
    zoomOut: (): void => zoom(middle(), 1 / ZOOM_STEP, true),
    stop(): void {
      cancelAnimationFrame(frame)
      observer.disconnect()
      stopGestures()
    },
  }
}
