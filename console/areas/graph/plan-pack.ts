import type { Circle } from './plan.ts'

export interface PackLink {
  from: number
  to: number
  weight: number
}

const STEPS = 250
/** Steps without forces, in which the overlaps of the last ones are resolved. */
const LAST_STEPS = 150
const PULL = 0.06
const GRAVITY = 0.015
/** The share of their place that circles with gaps between them cover. */
const COVER = 0.9
/** The share of the mean radius that is free between two circles, for their labels. */
const GAP = 0.3
/** The angle between successive seeds of a sunflower (Vogel 1979). */
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5))

export const sunflower = (index: number): [x: number, y: number] => {
  const radius = Math.sqrt(index)
  return [radius * Math.cos(index * GOLDEN_ANGLE), radius * Math.sin(index * GOLDEN_ANGLE)]
}

const separate = (circles: Circle[], gap: number): void => {
  circles.forEach((a, i) => {
    for (const b of circles.slice(i + 1)) {
      const [dx, dy] = [b.x - a.x || 1e-3, b.y - a.y]
      const distance = Math.hypot(dx, dy)
      const overlap = a.radius + b.radius + gap - distance
      if (overlap <= 0) continue
      const share = b.radius / (a.radius + b.radius)
      const [x, y] = [(dx / distance) * overlap, (dy / distance) * overlap]
      a.x -= x * share
      a.y -= y * share
      b.x += x * (1 - share)
      b.y += y * (1 - share)
    }
  })
}

const pull = (circles: Circle[], links: readonly PackLink[], gap: number): void => {
  const strongest = links.reduce((max, { weight }) => Math.max(max, weight), 0) || 1
  for (const { from, to, weight } of links) {
    const [a, b] = [circles[from], circles[to]]
    if (!a || !b) continue
    const [dx, dy] = [b.x - a.x, b.y - a.y]
    const distance = Math.hypot(dx, dy) || 1
    const free = Math.max(0, distance - a.radius - b.radius - gap)
    const step = ((free * PULL * Math.sqrt(weight / strongest)) / distance) * 0.5
    a.x += dx * step
    a.y += dy * step
    b.x -= dx * step
    b.y -= dy * step
  }
}

const clamp = (value: number, bound: number): number =>
  Math.min(Math.max(value, -Math.max(bound, 0)), Math.max(bound, 0))

/**
 * Arranges circles around (0, 0) without overlaps, linked ones near each other.
 * @param aspect the width of their place divided by its height.
 */
export const packCircles = (
  radii: readonly number[],
  links: readonly PackLink[],
  aspect: number,
): Circle[] => {
  const mean = radii.reduce((sum, radius) => sum + radius, 0) / (radii.length || 1)
  const gap = mean * GAP
  const circles = radii.map((radius, index): Circle => {
    const [x, y] = sunflower(index)
    return { x: x * mean * 2 * aspect, y: y * mean * 2, radius }
  })
  const area = circles.reduce((sum, { radius }) => sum + Math.PI * (radius + gap / 2) ** 2, 0)
  const height = Math.sqrt(area / COVER / aspect)
  const width = height * aspect
  for (let step = 0; step < STEPS; step++) {
    pull(circles, links, gap)
    for (const circle of circles) {
      circle.x = clamp(circle.x * (1 - GRAVITY), width / 2 - circle.radius)
      circle.y = clamp(circle.y * (1 - GRAVITY), height / 2 - circle.radius)
    }
    separate(circles, gap)
  }
  for (let step = 0; step < LAST_STEPS; step++) separate(circles, gap)
  return centered(circles)
}

/** The smallest upright rectangle around circles. */
export const boundsOf = (circles: readonly Circle[]) => {
  const bound = (side: (circle: Circle) => number, pick: (...values: number[]) => number) =>
    circles.length ? pick(...circles.map(side)) : 0
  return {
    left: bound(({ x, radius }) => x - radius, Math.min),
    right: bound(({ x, radius }) => x + radius, Math.max),
    top: bound(({ y, radius }) => y - radius, Math.min),
    bottom: bound(({ y, radius }) => y + radius, Math.max),
  }
}

const centered = (circles: Circle[]): Circle[] => {
  const { left, right, top, bottom } = boundsOf(circles)
  return circles.map(({ x, y, radius }) => ({
    x: x - (left + right) / 2,
    y: y - (top + bottom) / 2,
    radius,
  }))
}

/** The radius of a circle around (0, 0) with circles in it. */
export const enclosingRadius = (circles: readonly Circle[]): number =>
  circles.reduce((max, { x, y, radius }) => Math.max(max, Math.hypot(x, y) + radius), 0)
