export interface Point {
  x: number
  y: number
}

export interface GestureHandlers {
  onPan: (dx: number, dy: number) => void
  /** Zooms around a point. */
  onZoom: (at: Point, factor: number) => void
  onClick: (at: Point) => void
  /** Undefined when the pointer left. */
  onHover: (at: Point | undefined) => void
}

/** A pointer that moved less, in pixels, has clicked. */
const CLICK_PIXELS = 5
/** The factor of a pixel of the wheel, and of a line of one that counts in lines. */
const WHEEL_RATE = 0.002
const LINE_PIXELS = 16

const middleOf = (a: Point, b: Point): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 })
const distanceOf = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y)

/** Reads mouse, pen, touch and wheel of an element: drag and wheel, one finger and two. */
export const listenToGestures = (
  element: HTMLElement,
  { onPan, onZoom, onClick, onHover }: GestureHandlers,
): (() => void) => {
  const pointers = new Map<number, Point>()
  let moved = 0
  const pointOf = ({ clientX, clientY }: MouseEvent): Point => {
    const { left, top } = element.getBoundingClientRect()
    return { x: clientX - left, y: clientY - top }
  }

  const onDown = (event: PointerEvent): void => {
    if (event.button !== 0) return
    if (pointers.size === 0) moved = 0
    pointers.set(event.pointerId, pointOf(event))
    element.setPointerCapture(event.pointerId)
  }
  const onMove = (event: PointerEvent): void => {
    const [to, from] = [pointOf(event), pointers.get(event.pointerId)]
    if (!from) {
      onHover(to)
      return
    }
    moved += distanceOf(from, to)
    const other = pointers.entries().find(([id]) => id !== event.pointerId)?.[1]
    pointers.set(event.pointerId, to)
    if (other) {
      const [before, after] = [middleOf(from, other), middleOf(to, other)]
      onZoom(after, distanceOf(to, other) / (distanceOf(from, other) || 1))
      onPan(after.x - before.x, after.y - before.y)
    } else if (moved > CLICK_PIXELS) onPan(to.x - from.x, to.y - from.y)
  }
  const onUp = (event: PointerEvent): void => {
    const wasDown = pointers.delete(event.pointerId)
    const isClick = event.type === 'pointerup' && moved <= CLICK_PIXELS && pointers.size === 0
    if (wasDown && isClick) onClick(pointOf(event))
  }
  const onLeave = (): void => onHover(undefined)
  const onWheel = (event: WheelEvent): void => {
    event.preventDefault()
    const pixels = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE_PIXELS : 1
    onZoom(pointOf(event), Math.exp(-event.deltaY * pixels * WHEEL_RATE))
  }

  element.addEventListener('pointerdown', onDown)
  element.addEventListener('pointermove', onMove)
  element.addEventListener('pointerup', onUp)
  element.addEventListener('pointercancel', onUp)
  element.addEventListener('pointerleave', onLeave)
  element.addEventListener('wheel', onWheel, { passive: false })
  return () => {
    element.removeEventListener('pointerdown', onDown)
    element.removeEventListener('pointermove', onMove)
    element.removeEventListener('pointerup', onUp)
    element.removeEventListener('pointercancel', onUp)
    element.removeEventListener('pointerleave', onLeave)
    element.removeEventListener('wheel', onWheel)
  }
}
