import type { Context } from '../../context.ts'
import { usageError } from '../../errors.ts'
import { oneLine } from '../../output.ts'
import { type ProfileSettingName, profileSettingNames } from '../../settings.ts'

export type SettingName = ProfileSettingName | 'profile'

export const settingNames: readonly SettingName[] = ['profile', ...profileSettingNames]

/** The effective value of each setting with its source. */
export const effectiveSettings = (
  context: Context,
): Record<SettingName, { value: string | null; from: string }> => {
  const { url, org, sources, profileName, storedSettings } = context
  const stored = (name: 'provider' | 'depth') => ({
    value: storedSettings[name] ?? null,
    from: storedSettings[name] === undefined ? 'default' : 'config',
  })
  return {
    profile: { value: profileName, from: sources.profile },
    url: { value: url, from: sources.url },
    org: { value: org ?? null, from: sources.org },
    provider: stored('provider'),
    depth: stored('depth'),
  }
}

/** @throws CliError for an unknown setting. */
export const parseSettingName = (text: string): SettingName => {
  const found = settingNames.find((name) => name === text)
  if (found) return found
  throw usageError(`Unknown setting: ${oneLine(text)}.`, 'Run: svc config list')
}
