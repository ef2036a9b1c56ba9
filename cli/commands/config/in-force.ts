import type { Context } from '../../context.ts'
import { usageError } from '../../errors.ts'
import { oneLine } from '../../output.ts'
import { type ProfileSetting, profileSettings } from '../../settings.ts'

export type Name = ProfileSetting | 'profile'

export const names: readonly Name[] = ['profile', ...profileSettings]

/** What can be settled, what is in force, and where it was found. */
export const inForce = (context: Context): Record<Name, { value: string | null; from: string }> => {
  const { url, org, from, profileName, settled } = context
  const stored = (name: 'provider' | 'depth') => ({
    value: settled[name] ?? null,
    from: settled[name] === undefined ? 'default' : 'config',
  })
  return {
    profile: { value: profileName, from: from.profile },
    url: { value: url, from: from.url },
    org: { value: org ?? null, from: from.org },
    provider: stored('provider'),
    depth: stored('depth'),
  }
}

/** @throws CliError for what is no setting. */
export const readName = (text: string): Name => {
  const found = names.find((name) => name === text)
  if (found) return found
  throw usageError(`There is no setting ${oneLine(text)}.`, 'Run: svc config list')
}
