import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Transcription } from '../../../shared/contract/transcribe.ts'
import { budgets } from '../../platform/budgets.ts'
import { createLimitedFetch } from '../../platform/fetch/limited-fetch.ts'

const limitedFetch = createLimitedFetch(budgets.transcription)

/** The model name of OpenAI's endpoint, which most compatible ones accept. */
const DEFAULT_MODEL = 'whisper-1'

export interface TranscribeSettings {
  /** The base URL of an OpenAI-compatible API, or the URL of its `/audio/transcriptions`. */
  url: string
  model: string | undefined
  apiKey: string | undefined
}

interface AudioFile {
  bytes: Uint8Array
  name: string
  type: string
  language: string | undefined
}

/** The endpoint returned no transcription. `status` is undefined where it sent no response. */
export class TranscriptionFailure extends Error {
  override name = 'TranscriptionFailure'
  constructor(
    readonly status: number | undefined,
    options?: ErrorOptions,
  ) {
    super(status ? `the endpoint returned ${status}` : 'no readable response', options)
  }
}

const TranscriptionResponse = Type.Object({
  text: Type.String(),
  language: Type.Optional(Type.Unknown()),
  duration: Type.Optional(Type.Unknown()),
})

/** `verbose_json` includes language and duration, but not every model accepts it. */
const FORMATS = ['verbose_json', 'json'] as const

/**
 * Calls `POST /audio/transcriptions` of OpenAI's protocol.
 * @throws TranscriptionFailure for any response except a transcription.
 * @throws the signal's reason when it is aborted.
 */
export const requestTranscription = async (
  settings: TranscribeSettings,
  audio: AudioFile,
  signal: AbortSignal,
): Promise<Transcription> => {
  try {
    for (const format of FORMATS) {
      const response = await send(settings, audio, format, signal)
      if (response.ok) return present(await readResponse(response))
      await response.body?.cancel()
      const isFormatRejected = format === 'verbose_json' && [400, 422].includes(response.status)
      if (!isFormatRejected) throw new TranscriptionFailure(response.status)
    }
    throw new TranscriptionFailure(400)
  } catch (error) {
    signal.throwIfAborted()
    throw error instanceof TranscriptionFailure
      ? error
      : new TranscriptionFailure(undefined, { cause: error })
  }
}

const send = (
  { url, model, apiKey }: TranscribeSettings,
  { bytes, name, type, language }: AudioFile,
  format: (typeof FORMATS)[number],
  signal: AbortSignal,
): Promise<Response> => {
  const form = new FormData()
  form.set('file', new Blob([bytes as Uint8Array<ArrayBuffer>], { type }), name)
  form.set('model', model ?? DEFAULT_MODEL)
  form.set('response_format', format)
  if (language) form.set('language', language)
  return limitedFetch(endpointUrl(url), {
    method: 'POST',
    body: form,
    signal,
    // A redirect would receive the API key.
    redirect: 'manual',
    headers: { accept: 'application/json', ...(apiKey && { authorization: `Bearer ${apiKey}` }) },
  })
}

const endpointUrl = (configured: string): string => {
  const url = new URL(configured)
  url.pathname = url.pathname
    .replace(/(?<!\/)\/+$/, '')
    .replace(/(\/audio\/transcriptions)?$/, '/audio/transcriptions')
  return url.href
}

const readResponse = async (response: Response): Promise<Static<typeof TranscriptionResponse>> => {
  const body: unknown = await response.json()
  if (!Value.Check(TranscriptionResponse, body)) throw new TranscriptionFailure(undefined)
  return body
}

const present = ({
  text,
  language,
  duration,
}: Static<typeof TranscriptionResponse>): Transcription => {
  const seconds = Number(duration ?? Number.NaN)
  return {
    text: text.trim(),
    ...(typeof language === 'string' && language && { language }),
    ...(Number.isFinite(seconds) && { duration: seconds }),
  }
}
