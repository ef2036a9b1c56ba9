import type { SettingTest } from '../../../../shared/contract/server-settings.ts'
import {
  requestTranscription,
  type TranscribeSettings,
  TranscriptionFailure,
} from '../../../conversation/transcribe/client.ts'

const SAMPLE_RATE = 16_000
/** Half of a second. */
const SAMPLES = SAMPLE_RATE / 2
const HEADER_BYTES = 44

/** A WAV file of silence: 16 bit, one channel. */
const silence = (): Uint8Array => {
  const wav = Buffer.alloc(HEADER_BYTES + 2 * SAMPLES)
  wav.write('RIFF', 0)
  wav.writeUInt32LE(wav.byteLength - 8, 4)
  wav.write('WAVEfmt ', 8)
  wav.writeUInt32LE(16, 16)
  wav.writeUInt16LE(1, 20)
  wav.writeUInt16LE(1, 22)
  wav.writeUInt32LE(SAMPLE_RATE, 24)
  wav.writeUInt32LE(2 * SAMPLE_RATE, 28)
  wav.writeUInt16LE(2, 32)
  wav.writeUInt16LE(16, 34)
  wav.write('data', 36)
  wav.writeUInt32LE(2 * SAMPLES, 40)
  return wav
}

/** Has silence transcribed. */
export const testTranscription = async (
  settings: TranscribeSettings | undefined,
  signal: AbortSignal,
): Promise<SettingTest[]> => {
  if (!settings)
    return [{ target: 'transcription', ok: false, message: 'No transcription endpoint is set.' }]
  const target = new URL(settings.url).host
  const audio = { bytes: silence(), name: 'silence.wav', type: 'audio/wav', language: undefined }
  try {
    await requestTranscription(settings, audio, signal)
    return [{ target, ok: true, message: 'The endpoint transcribed a recording of silence.' }]
  } catch (error) {
    return [{ target, ok: false, message: reasonOf(error, signal) }]
  }
}

const reasonOf = (error: unknown, signal: AbortSignal): string => {
  if (signal.aborted) return 'The endpoint did not answer in time.'
  const status = error instanceof TranscriptionFailure ? error.status : undefined
  if (status === 401 || status === 403) return `The endpoint refused the API key (${status}).`
  return status
    ? `The endpoint returned the status ${status}.`
    : 'The endpoint cannot be reached, or sent no transcription.'
}
