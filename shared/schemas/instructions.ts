import { type Static, Type } from '@sinclair/typebox'

export const Instructions = Type.Object({
  instructions: Type.String({
    trim: true,
    examples: ['Answer briefly.'],
    description: 'Fewer than 2,000 characters after trimming; empty if not set.',
  }),
})
export type Instructions = Static<typeof Instructions>
