import type { Circle } from './plan.ts'

/** The shown part of the plane: the point in the middle, and the pixels for a unit of the plane. */
export interface Camera {
  x: number
  y: number
  scale: number
}

export interface Size {
  width: number
  height: number
}

export interface Rectangle {
  left: number
  right: number
  top: number
  bottom: number
}

/** In pixels. */
const MARGIN = 24
/** Relative to the camera that shows everything. */
const MIN_ZOOM = 0.5
const MAX_ZOOM = 60

export const toScreen = ({ x, y, scale }: Camera, { width, height }: Size, at: Circle): Circle => ({
  x: (at.x - x) * scale + width / 2,
  y: (at.y - y) * scale + height / 2,
  radius: at.radius * scale,
})

/** The camera that shows a rectangle. */
export const fitTo = ({ left, right, top, bottom }: Rectangle, size: Size): Camera => ({
  x: (left + right) / 2,
  y: (top + bottom) / 2,
  scale: Math.max(
    1e-6,
    Math.min(
      (size.width - MARGIN * 2) / (right - left || 1),
      (size.height - MARGIN * 2) / (bottom - top || 1),
    ),
  ),
})

export const aroundCircle = ({ x, y, radius }: Circle): Rectangle => ({
  left: x - radius,
  right: x + radius,
  top: y - radius,
  bottom: y + radius,
})

/** Zooms such that a point of the drawing stays in its place. */
export const zoomAt = (
  camera: Camera,
  size: Size,
  point: { x: number; y: number },
  factor: number,
  whole: Camera,
): Camera => {
  const limited = Math.min(
    Math.max(camera.scale * factor, whole.scale * MIN_ZOOM),
    whole.scale * MAX_ZOOM,
  )
  const [dx, dy] = [point.x - size.width / 2, point.y - size.height / 2]
  return {
    x: camera.x + dx / camera.scale - dx / limited,
    y: camera.y + dy / camera.scale - dy / limited,
    scale: limited,
  }
}

/** @param share from 0 to 1. The zoom is even, as a step of a wheel is. */
export const between = (from: Camera, to: Camera, share: number): Camera => {
  const scale = from.scale * (to.scale / from.scale) ** share
  // The plane moves evenly on the screen, not while it is zoomed out.
  const moved =
    Math.abs(to.scale - from.scale) < 1e-9
      ? share
      : (1 / from.scale - 1 / scale) / (1 / from.scale - 1 / to.scale)
  return {
    x: from.x + (to.x - from.x) * moved,
    y: from.y + (to.y - from.y) * moved,
    scale,
  }
}
