import { randomUUID } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SettingTest, TestedGroup } from '../../../../shared/contract/server-settings.ts'
import {
  requestTranscription,
  type TranscribeSettings,
  TranscriptionFailure,
} from '../../../conversation/transcribe/client.ts'
import { budgets } from '../../../platform/budgets.ts'
import type { Log } from '../../../platform/log.ts'
import { storageFailure } from '../../../platform/writes.ts'
import { type MailConfig, testMail } from './mail.ts'
import { type ModelConfig, testModels } from './models.ts'
import { type SignInConfig, testSignIn } from './sign-in.ts'

/** The parts of the configuration that can be tested. */
export interface TestedConfig extends MailConfig, ModelConfig, SignInConfig {
  transcribe: TranscribeSettings | undefined
  backup: { directory: string }
}

export type SettingTests = ReturnType<typeof createSettingTests>

interface SettingTestDeps {
  baseUrl: string
  log: Log
}

export const createSettingTests = ({ baseUrl, log }: SettingTestDeps) => {
  const tests: Record<
    TestedGroup,
    (config: TestedConfig, signal: AbortSignal, email: string) => Promise<SettingTest[]>
  > = {
    mail: (config, signal, email) => testMail(config, { to: email, baseUrl, signal }),
    models: (config, signal) => testModels(config, log, signal),
    transcription: ({ transcribe }, signal) => testTranscription(transcribe, signal),
    sign_in: (config, signal) => testSignIn(config, baseUrl, signal),
    backup: ({ backup }) => testDirectory(backup.directory),
  }
  return {
    /**
     * Tests what a group configures, within a time limit. A failure is a result, in words without secrets.
     * @param email the address that gets the email.
     */
    run: (group: TestedGroup, config: TestedConfig, email: string): Promise<SettingTest[]> =>
      tests[group](config, AbortSignal.timeout(budgets.settingTest.ms), email),
  }
}

const testDirectory = async (directory: string): Promise<SettingTest[]> => {
  const probe = join(directory, `.probe-${randomUUID()}`)
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 })
    await writeFile(probe, 'probe', { mode: 0o600 })
    await rm(probe)
    return [{ target: directory, ok: true, message: 'Files can be written.' }]
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException
    return [
      {
        target: directory,
        ok: false,
        message: `Files cannot be written: ${storageFailure(error) ?? code}`,
      },
    ]
  }
}

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
const testTranscription = async (
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
