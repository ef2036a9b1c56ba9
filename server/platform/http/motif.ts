/** Points of a sunflower: each new one is turned by the golden angle, so that none covers another (Vogel 1979). */
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5))
const POINTS = 150
/** Half of the width of the drawing. */
const RADIUS = 400
/** How many steps of the spiral a line spans: Fibonacci numbers join neighbours. */
const SPANS = [8, 13, 21]
/** Every so many points are linked across one of the spans. */
const LINK_EVERY = 5
/** The chain that is drawn in the accent: a memory that leads to others. */
const CHAIN = { first: 3, span: 21, length: 7 }

interface Point {
  x: number
  y: number
}

const point = (index: number): Point => {
  const distance = RADIUS * Math.sqrt((index + 0.5) / POINTS) * 0.97
  const angle = index * GOLDEN_ANGLE
  return {
    x: Math.round(RADIUS + distance * Math.cos(angle)),
    y: Math.round(RADIUS + distance * Math.sin(angle)),
  }
}

const points = Array.from({ length: POINTS }, (_, index) => point(index))

const line = (from: Point, to: Point): string => `M${from.x} ${from.y}L${to.x} ${to.y}`

const links = points
  .flatMap((from, index) => {
    const span = SPANS[index % SPANS.length] ?? 0
    const to = points[index + span]
    return to && index % LINK_EVERY < SPANS.length ? [line(from, to)] : []
  })
  .join('')

const chain = points.filter(
  (_, index) =>
    index % CHAIN.span === CHAIN.first && index < CHAIN.first + CHAIN.span * CHAIN.length,
)

const dot = ({ x, y }: Point, radius: number): string =>
  `M${x - radius} ${y}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0`

/** Later points are larger, as what was remembered last is nearest. */
const dots = points.map((each, index) => dot(each, 2 + Math.round((4 * index) / POINTS))).join('')

/** Memories as points of a growing flower, with the links between them. A decoration. */
export const motif: string =
  `<svg class="motif" viewBox="0 0 ${2 * RADIUS} ${2 * RADIUS}" aria-hidden="true">` +
  `<path class="links" d="${links}"/><path class="dots" d="${dots}"/>` +
  `<path class="chain" pathLength="1" d="M${chain.map(({ x, y }) => `${x} ${y}`).join('L')}"/>` +
  `<path class="chain-dots" d="${chain.map((each) => dot(each, 9)).join('')}"/></svg>`
