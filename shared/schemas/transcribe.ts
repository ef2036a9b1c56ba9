import { type Static, Type } from '@sinclair/typebox'

export const TranscribeQuery = Type.Object({
  language: Type.Optional(
    Type.String({
      pattern: '^[a-z]{2,3}$',
      examples: ['en'],
      description: 'What is spoken, where it is known (ISO 639); otherwise the model decides.',
    }),
  ),
})
export type TranscribeQuery = Static<typeof TranscribeQuery>

export const Transcription = Type.Object({
  text: Type.String(),
  language: Type.Optional(Type.String({ description: 'As the model calls it.' })),
  duration: Type.Optional(Type.Number({ description: 'Of the audio, in seconds.' })),
})
export type Transcription = Static<typeof Transcription>
