import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Transcription } from '../../../shared/schemas/transcribe.ts'

/** An hour of speech has about 60 kB of text; with the times of each word some megabytes. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024
/** The default of OpenAI's own endpoint and of most that speak its protocol. */
const DEFAULT_MODEL = 'whisper-1'

export interface TranscribeSettings {
  /** The base of an OpenAI-compatible API, or the address of its `/audio/transcriptions`. */
  url: string
  model: string | undefined
  apiKey: string | undefined
}

export interface Audio {
  bytes: Uint8Array
  name: string
  type: string
  language: string | undefined
}

/** The endpoint did not do what it was asked. `status` is undefined where it did not answer at all. */
export class TranscriptionFailure extends Error {
  override name = 'TranscriptionFailure'
  constructor(
    readonly status: number | undefined,
    options?: ErrorOptions,
  ) {
    super(status ? `the endpoint answered ${status}` : 'no answer that can be read', options)
  }
}

const Answer = Type.Object({
  text: Type.String(),
  language: Type.Optional(Type.Unknown()),
  duration: Type.Optional(Type.Unknown()),
})

/** With `verbose_json` it tells language and duration too, but not every model takes that. */
const FORMATS = ['verbose_json', 'json'] as const

/**
 * Asks `POST /audio/transcriptions`, as OpenAI has it and many servers speak it too.
 * @throws TranscriptionFailure for any answer but a transcription.
 * @throws the signal's reason when it is aborted.
 */
export const askTranscription = async (
  settings: TranscribeSettings,
  audio: Audio,
  signal: AbortSignal,
): Promise<Transcription> => {
  try {
    for (const format of FORMATS) {
      const response = await send(settings, audio, format, signal)
      if (response.ok) return present(await readAnswer(response))
      await response.body?.cancel()
      const isAboutFormat = format === 'verbose_json' && [400, 422].includes(response.status)
      if (!isAboutFormat) throw new TranscriptionFailure(response.status)
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
  { bytes, name, type, language }: Audio,
  format: (typeof FORMATS)[number],
  signal: AbortSignal,
): Promise<Response> => {
  const form = new FormData()
  form.set('file', new Blob([bytes as Uint8Array<ArrayBuffer>], { type }), name)
  form.set('model', model ?? DEFAULT_MODEL)
  form.set('response_format', format)
  if (language) form.set('language', language)
  return fetch(addressOf(url), {
    method: 'POST',
    body: form,
    signal,
    // It would take the key along.
    redirect: 'manual',
    headers: { accept: 'application/json', ...(apiKey && { authorization: `Bearer ${apiKey}` }) },
  })
}

const addressOf = (given: string): string => {
  const url = new URL(given)
  url.pathname = url.pathname
    .replace(/\/+$/, '')
    .replace(/(\/audio\/transcriptions)?$/, '/audio/transcriptions')
  return url.href
}

const readAnswer = async (response: Response): Promise<Static<typeof Answer>> => {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > MAX_ANSWER_BYTES) throw new TranscriptionFailure(undefined)
    chunks.push(chunk)
  }
  const answer: unknown = JSON.parse(Buffer.concat(chunks).toString())
  if (!Value.Check(Answer, answer)) throw new TranscriptionFailure(undefined)
  return answer
}

const present = ({ text, language, duration }: Static<typeof Answer>): Transcription => {
  const seconds = Number(duration ?? Number.NaN)
  return {
    text: text.trim(),
    ...(typeof language === 'string' && language && { language }),
    ...(Number.isFinite(seconds) && { duration: seconds }),
  }
}
