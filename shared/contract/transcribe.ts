import { type Static, Type } from '@sinclair/typebox'
import { OVER_QUOTA, OverQuota } from '../errors.ts'
import { endpoint } from './endpoint.ts'

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

export const transcribe = endpoint({
  name: 'transcribe',
  method: 'POST',
  path: '/api/transcribe',
  tag: 'Conversation',
  summary: 'Transcribe an audio file of up to 25 MB',
  credential: 'bearer',
  requiresVerifiedEmail: true,
  query: TranscribeQuery,
  upload: { field: 'file', maxBytes: 25 * 1024 * 1024 },
  success: [200, Transcription],
  errors: {
    400: ['audio_empty', 'audio_type_unsupported'],
    413: ['audio_too_large'],
    429: OVER_QUOTA,
    502: ['transcription_failed'],
    503: ['transcription_not_configured'],
  },
  errorBodies: { 429: OverQuota },
})
