import { randomUUID } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SettingTest, TestedGroup } from '../../../../shared/contract/server-settings.ts'
import type { TranscribeSettings } from '../../../conversation/transcribe/client.ts'
import { budgets } from '../../../platform/budgets.ts'
import type { Log } from '../../../platform/log.ts'
import { storageFailure } from '../../../platform/writes.ts'
import { type MailConfig, testMail } from './mail.ts'
import { type ModelConfig, testModels } from './models.ts'
import { type SignInConfig, testSignIn } from './sign-in.ts'
import { testTranscription } from './transcription.ts'

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
