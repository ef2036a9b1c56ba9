import type { TranscribeQuery, Transcription } from '../../../shared/schemas/transcribe.ts'
import type { UsageService } from '../../billing/usage/service.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/error.ts'
import type { Upload } from '../../platform/http/upload.ts'
import { askTranscription, type TranscribeSettings, TranscriptionFailure } from './endpoint.ts'

/** An hour of speech takes a good model on a slow machine about that long. */
const TIMEOUT_MS = 5 * 60_000

/** What audio comes as; programs that do not know say nothing, or only that it is bytes. */
const AUDIO = /^(audio\/[\w.+-]+|video\/[\w.+-]+|application\/(ogg|octet-stream)|)$/

/** The endings that endpoints tell formats by, where the name has none. */
const ENDINGS: Record<string, string> = {
  'audio/webm': 'webm',
  'video/webm': 'webm',
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'audio/x-m4a': 'm4a',
  'video/mp4': 'mp4',
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/ogg': 'ogg',
  'application/ogg': 'ogg',
  'audio/flac': 'flac',
}

export type TranscriptionService = ReturnType<typeof createTranscriptionService>

export const createTranscriptionService = (
  settings: TranscribeSettings | undefined,
  usage: Pick<UsageService, 'during'>,
) => ({
  /**
   * @throws ApiError 413 for more than 25 MB, 400 for what is no audio, 503 where no endpoint is
   * configured, 429 when the month's transcriptions are used up, 502 where it fails.
   */
  async transcribe(
    { userId }: Caller,
    { bytes, name, type, tooLarge }: Upload,
    { language }: TranscribeQuery,
    signal: AbortSignal,
  ): Promise<Transcription> {
    const kind = type.split(';')[0]?.trim().toLowerCase() ?? ''
    if (tooLarge) throw new ApiError(413, 'The audio is larger than 25 MB')
    if (bytes.byteLength === 0) throw new ApiError(400, 'The audio is empty')
    if (!AUDIO.test(kind)) throw new ApiError(400, 'The file must be audio')
    if (!settings)
      throw new ApiError(503, 'No transcription endpoint is configured: set SVC_TRANSCRIBE_URL')
    const audio = { bytes, name: nameOf(name, kind), type: kind, language }
    const timeout = AbortSignal.timeout(TIMEOUT_MS)
    const either = AbortSignal.any([signal, timeout])
    const ask = () =>
      askTranscription(settings, audio, either).catch((cause) => {
        signal.throwIfAborted()
        if (!timeout.aborted && !(cause instanceof TranscriptionFailure)) throw cause
        throw new ApiError(502, 'The transcription endpoint failed', { cause })
      })
    return usage.during(userId, 'transcriptions', ask, signal)
  },
})

/** The endpoint needs no more of the name than its ending. */
const nameOf = (name: string, type: string): string =>
  `audio.${/\.(\w{1,5})$/.exec(name)?.[1]?.toLowerCase() ?? ENDINGS[type] ?? 'wav'}`
