import { randomUUID } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SettingTest, TestedGroup } from '../../../../shared/contract/server-settings.ts'
import type { TranscribeSettings } from '../../../conversation/transcribe/client.ts'
import { budgets } from '../../../platform/budgets.ts'
import type { Log } from '../../../platform/log.ts'
import { storageFailure } from '../../../platform/writes.ts'
import { type MailConfig, tryMail } from './mail.ts'
import { type ModelConfig, tryModels } from './models.ts'
import { type SignInConfig, trySignIn } from './sign-in.ts'
import { tryTranscription } from './transcription.ts'

/** The parts of the configuration that can be tried. */
export interface TriedConfig extends MailConfig, ModelConfig, SignInConfig {
  transcribe: TranscribeSettings | undefined
  backup: { directory: string }
}

export interface Trials {
  /**
   * Tries what a group configures, within a time limit. A failure is a result, in words without secrets.
   * @param email the address that gets the email.
   */
  run(group: TestedGroup, config: TriedConfig, email: string): Promise<SettingTest[]>
}

interface TrialDeps {
  baseUrl: string
  log: Log
}

export const createTrials = ({ baseUrl, log }: TrialDeps): Trials => {
  const trials: Record<
    TestedGroup,
    (config: TriedConfig, signal: AbortSignal, email: string) => Promise<SettingTest[]>
  > = {
    mail: (config, signal, email) => tryMail(config, { to: email, baseUrl, signal }),
    models: (config, signal) => tryModels(config, log, signal),
    transcription: ({ transcribe }, signal) => tryTranscription(transcribe, signal),
    sign_in: (config, signal) => trySignIn(config, baseUrl, signal),
    backup: ({ backup }) => tryDirectory(backup.directory),
  }
  return {
    run: (group, config, email) =>
      trials[group](config, AbortSignal.timeout(budgets.settingTest.ms), email),
  }
}

const tryDirectory = async (directory: string): Promise<SettingTest[]> => {
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
