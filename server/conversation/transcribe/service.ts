import { transcribe } from '../../../shared/contract/index.ts'
import type { TranscribeQuery, Transcription } from '../../../shared/contract/transcribe.ts'
import { budgets } from '../../platform/budgets.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { defineErrors } from '../../platform/http/error.ts'
import type { Mount } from '../../platform/http/route.ts'
import type { Upload } from '../../platform/http/upload.ts'
import type { UsageService } from '../../usage/counts/service.ts'
import { requestTranscription, type TranscribeSettings, TranscriptionFailure } from './client.ts'

const transcriptionError = defineErrors({
  audio_empty: { status: 400, detail: 'The audio is empty' },
  audio_too_large: { status: 413, detail: 'The audio is larger than 25 MB' },
  audio_type_unsupported: { status: 400, detail: 'The file must be audio' },
  transcription_not_configured: {
    status: 503,
    detail: 'No transcription endpoint is configured: set SVC_TRANSCRIBE_URL',
  },
  transcription_failed: (cause: unknown) => ({
    status: 502,
    detail: 'The transcription endpoint failed',
    cause,
  }),
})

/** Clients that do not know the type send none, or `application/octet-stream`. */
const AUDIO_TYPE = /^(audio\/[\w.+-]+|video\/[\w.+-]+|application\/(ogg|octet-stream)|)$/

/** Extensions for names without one: endpoints detect the format by it. */
const EXTENSIONS: Record<string, string> = {
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

type TranscriptionService = ReturnType<typeof createTranscriptionService>

export const createTranscriptionService = (
  readSettings: () => TranscribeSettings | undefined,
  usage: Pick<UsageService, 'consumeDuring'>,
) => ({
  /**
   * @throws ApiError 413 for more than 25 MB, 400 for a file that is not audio, 503 where no endpoint is
   * configured, 429 when the month's transcriptions are used up, 502 where the endpoint fails.
   */
  async transcribe(
    { userId }: Caller,
    { bytes, name, type, tooLarge }: Upload,
    { language }: TranscribeQuery,
    signal: AbortSignal,
  ): Promise<Transcription> {
    const mediaType = type.split(';')[0]?.trim().toLowerCase() ?? ''
    if (tooLarge) throw transcriptionError('audio_too_large')
    if (bytes.byteLength === 0) throw transcriptionError('audio_empty')
    if (!AUDIO_TYPE.test(mediaType)) throw transcriptionError('audio_type_unsupported')
    const settings = readSettings()
    if (!settings) throw transcriptionError('transcription_not_configured')
    const audio = { bytes, name: fileName(name, mediaType), type: mediaType, language }
    const timeout = AbortSignal.timeout(budgets.transcription.ms)
    const aborted = AbortSignal.any([signal, timeout])
    const request = () =>
      requestTranscription(settings, audio, aborted).catch((cause) => {
        signal.throwIfAborted()
        if (!timeout.aborted && !(cause instanceof TranscriptionFailure)) throw cause
        throw transcriptionError('transcription_failed', cause)
      })
    return usage.consumeDuring(userId, 'transcriptions', request, signal)
  },
})

/** The endpoint needs only the extension of the name. */
const fileName = (name: string, type: string): string =>
  `audio.${/\.(\w{1,5})$/.exec(name)?.[1]?.toLowerCase() ?? EXTENSIONS[type] ?? 'wav'}`

export const transcribeRoutes = (mount: Mount, transcriptions: TranscriptionService): void => {
  mount(transcribe, async ({ caller, query, upload, signal, disableIdleTimeout }) => {
    const audio = await upload()
    disableIdleTimeout()
    return transcriptions.transcribe(caller, audio, query, signal)
  })
}
