import { type Static, Type } from '@sinclair/typebox'

export const Suggestions = Type.Object({
  suggestions: Type.Array(Type.String(), {
    description: 'Three to five short messages that the user could send.',
    examples: [['What do you remember about Lisbon?']],
  }),
})
export type Suggestions = Static<typeof Suggestions>
