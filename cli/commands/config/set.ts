import { DEFAULT_PROFILE, readProfileName, readUrl } from '../../accepted.ts'
import type { Context } from '../../context.ts'
import { depths, isDepth } from '../../depths.ts'
import { usageError } from '../../errors.ts'
import { nearest } from '../../nearest.ts'
import { oneLine } from '../../output.ts'
import type { ProfileSetting, StoredSettings } from '../../settings.ts'
import { type Name, readName } from './in-force.ts'

/** Settles something for the profile in force, or which profile that is. */
export const set = async (
  context: Context,
  { name, value }: { name: string; value: string },
): Promise<void> => {
  const setting = readName(name)
  const accepted = readValue(setting, value)
  await change(context, setting, accepted)
  if (context.json) context.io.printJson({ name, value: accepted })
  context.io.note(`Set ${where(context, setting)} to ${accepted}.`)
}

/** Takes a setting back. */
export const unset = async (context: Context, { name }: { name: string }): Promise<void> => {
  const setting = readName(name)
  await change(context, setting, undefined)
  if (context.json) context.io.printJson({ name, value: null })
  context.io.note(`Unset ${where(context, setting)}.`)
}

const where = ({ profileName }: Context, setting: Name) =>
  setting === 'profile' || profileName === DEFAULT_PROFILE
    ? setting
    : `${setting} of profile ${profileName}`

const change = (context: Context, name: Name, value: string | undefined): Promise<void> => {
  const { credentials, settings, profileName } = context
  return credentials.exclusively(() =>
    settings.change((stored) =>
      name === 'profile'
        ? withProfile(stored, value)
        : { ...stored, profiles: withSetting(stored, profileName, name, value) },
    ),
  )
}

const withProfile = (
  { profiles }: StoredSettings,
  profile: string | undefined,
): StoredSettings => ({
  ...(profile !== undefined && { profile }),
  profiles,
})

const withSetting = (
  { profiles }: StoredSettings,
  profileName: string,
  name: ProfileSetting,
  value: string | undefined,
) => {
  const { [name]: _, ...others } = profiles[profileName] ?? {}
  return { ...profiles, [profileName]: value === undefined ? others : { ...others, [name]: value } }
}

const readValue = (name: Name, value: string): string => {
  if (name === 'profile') return readProfileName(value)
  if (name === 'url') return readUrl(value, 'svc config set url')
  if (name === 'depth' && !isDepth(value)) {
    const near = nearest(value, depths)
    throw usageError(
      `There is no depth ${oneLine(value)}.${near ? ` Did you mean ${near}?` : ''}`,
      `There are: ${depths.join(', ')}.`,
    )
  }
  if (/^[^\x00-\x1f\x7f]{1,200}$/.test(value)) return value
  throw usageError(`The value of ${name} will not do.`, 'Give it in one line of text.')
}
