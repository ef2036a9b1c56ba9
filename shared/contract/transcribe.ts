import { OVER_QUOTA, OverQuota } from '../errors.ts'
import { TranscribeQuery, Transcription } from '../schemas/transcribe.ts'
import { endpoint } from './endpoint.ts'

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
