import { DEFAULT_PROFILE } from '../../../mcp/stdio/local-config.ts'
import type { Context } from '../../context.ts'
import { depths, isDepth } from '../../depths.ts'
import { usageError } from '../../errors.ts'
import { nearestWord } from '../../nearest.ts'
import { oneLine } from '../../output.ts'
import type { ProfileSettingName, StoredSettings } from '../../settings.ts'
import { parseProfileName, parseServerUrl } from '../../validate.ts'
import { parseSettingName, type SettingName } from './effective.ts'

/** Stores a setting of the current profile, or the name of the default profile. */
export const runConfigSet = async (
  context: Context,
  { name, value }: { name: string; value: string },
): Promise<void> => {
  const setting = parseSettingName(name)
  const parsed = parseValue(setting, value)
  await storeSetting(context, setting, parsed)
  if (context.json) context.io.printJson({ name, value: parsed })
  context.io.info(`Set ${describeSetting(context, setting)} to ${parsed}.`)
}

/** Removes a setting. */
export const runConfigUnset = async (
  context: Context,
  { name }: { name: string },
): Promise<void> => {
  const setting = parseSettingName(name)
  await storeSetting(context, setting, undefined)
  if (context.json) context.io.printJson({ name, value: null })
  context.io.info(`Unset ${describeSetting(context, setting)}.`)
}

const describeSetting = ({ profileName }: Context, setting: SettingName) =>
  setting === 'profile' || profileName === DEFAULT_PROFILE
    ? setting
    : `${setting} of profile ${profileName}`

/** Stores a setting of the current profile, or removes it if undefined. */
export const storeSetting = (
  context: Context,
  name: SettingName,
  value: string | undefined,
): Promise<void> => {
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
  name: ProfileSettingName,
  value: string | undefined,
) => {
  const { [name]: _, ...others } = profiles[profileName] ?? {}
  return { ...profiles, [profileName]: value === undefined ? others : { ...others, [name]: value } }
}

const parseValue = (name: SettingName, value: string): string => {
  if (name === 'profile') return parseProfileName(value)
  if (name === 'url') return parseServerUrl(value, 'svc config set url')
  if (name === 'depth' && !isDepth(value)) {
    const near = nearestWord(value, depths)
    throw usageError(
      `Unknown depth: ${oneLine(value)}.${near ? ` Did you mean ${near}?` : ''}`,
      `Use one of: ${depths.join(', ')}.`,
    )
  }
  if (/^[^\x00-\x1f\x7f]{1,200}$/.test(value)) return value
  throw usageError(`Invalid value for ${name}.`, 'Use one line of up to 200 characters.')
}
