import { type Static, Type } from '@sinclair/typebox'

export const TranscribeQuery = Type.Object({
  language: Type.Optional(
    Type.String({
      pattern: '^[a-z]{2,3}$',
      examples: ['en'],
      description: 'The spoken language (ISO 639). Default: detected by the model.',
    }),
  ),
})
export type TranscribeQuery = Static<typeof TranscribeQuery>

export const Transcription = Type.Object({
  text: Type.String(),
  language: Type.Optional(Type.String({ description: 'The language as named by the model.' })),
  duration: Type.Optional(Type.Number({ description: 'Length of the audio in seconds.' })),
})
export type Transcription = Static<typeof Transcription>
