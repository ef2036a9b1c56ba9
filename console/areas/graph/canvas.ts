import type { GraphColors } from './colors.ts'

interface DrawnNode {
  x: number
  y: number
  size: number
  label?: string | null
}

const FULL_CIRCLE = Math.PI * 2
const LABEL_PADDING = 6
const LABEL_FONT_SIZE = 13
export const LABEL_FONT = 'system-ui, sans-serif'

const circle = (context: CanvasRenderingContext2D, { x, y, size }: DrawnNode, gap: number) => {
  context.beginPath()
  context.arc(x, y, size + gap, 0, FULL_CIRCLE)
}

/** Marks a bridge memory with a ring. */
export const drawRing = (
  context: CanvasRenderingContext2D,
  node: DrawnNode,
  { ink }: GraphColors,
): void => {
  circle(context, node, 2.5)
  context.strokeStyle = ink
  context.lineWidth = 1.5
  context.stroke()
}

/** Draws the node under the pointer, or the selected one: a thick ring, and its label in a box. */
export const drawHighlight = (
  context: CanvasRenderingContext2D,
  node: DrawnNode,
  { accent, card, ink }: GraphColors,
): void => {
  circle(context, node, 3)
  context.strokeStyle = accent
  context.lineWidth = 3
  context.stroke()
  if (!node.label) return
  context.font = `500 ${LABEL_FONT_SIZE}px ${LABEL_FONT}`
  const width = context.measureText(node.label).width + LABEL_PADDING * 2
  const height = LABEL_FONT_SIZE + LABEL_PADDING * 2
  const left = node.x + node.size + LABEL_PADDING
  context.beginPath()
  context.roundRect(left, node.y - height / 2, width, height, 5)
  context.fillStyle = card
  context.fill()
  context.lineWidth = 1
  context.stroke()
  context.fillStyle = ink
  context.fillText(node.label, left + LABEL_PADDING, node.y + LABEL_FONT_SIZE / 3)
}
