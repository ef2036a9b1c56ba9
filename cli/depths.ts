import type { Depth } from '../shared/contract/chat.ts'

/** Listed here, because importing the schema would load TypeBox on every start. */
export const depths = Object.keys({
  quick: true,
  deep: true,
  sage: true,
} satisfies Record<Depth, true>) as Depth[]

export const isDepth = (text: string): text is Depth => depths.some((depth) => depth === text)
