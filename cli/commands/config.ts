import { DEFAULT_PROFILE } from '../../mcp/stdio/local-config.ts'
import { keysOf } from '../../shared/objects.ts'
import { depths, isDepth } from '../chat-options.ts'
import type { Context } from '../context.ts'
import { usageError } from '../errors.ts'
import { nearestWord } from '../nearest.ts'
import { oneLine } from '../output.ts'
import {
  type ProfileSettingName,
  parseProfileName,
  parseServerUrl,
  profileSettingNames,
  type StoredProfiles,
  settingSynonyms,
} from '../settings.ts'

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
  const synonym = keysOf(settingSynonyms).find((name) => name === text)
  const found = synonym ? settingSynonyms[synonym] : settingNames.find((name) => name === text)
  if (found) return found
  throw usageError(`Unknown setting: ${oneLine(text)}.`, 'Run: svc config list')
}

/** Prints the effective settings with their sources. */
export const runConfigList = async (context: Context): Promise<void> => {
  const { io } = context
  const all = effectiveSettings(context)
  if (context.json) return io.printJson(all)
  const rows = settingNames.map((name) =>
    [name, all[name].value ?? '', all[name].from].map(oneLine),
  )
  await io.printTable([['SETTING', 'VALUE', 'SOURCE'], ...rows])
}

/** Prints the effective value of a setting, or nothing if it has none. */
export const runConfigGet = async (context: Context, { name }: { name: string }): Promise<void> => {
  const { io } = context
  const setting = parseSettingName(name)
  const { value, from } = effectiveSettings(context)[setting]
  if (context.json) io.printJson({ name: setting, value, from })
  else if (value !== null) io.print(oneLine(value))
}

/** Stores a setting of the current profile, or the name of the default profile. */
export const runConfigSet = async (
  context: Context,
  { name, value }: { name: string; value: string },
): Promise<void> => {
  const setting = parseSettingName(name)
  const parsed = parseValue(setting, value)
  context.io.willPrint(['name', 'value'])
  await storeSetting(context, setting, parsed)
  if (context.json) context.io.printJson({ name: setting, value: parsed })
  context.io.info(`Set ${describeSetting(context, setting)} to ${parsed}.`)
}

/** Removes a setting. */
export const runConfigUnset = async (
  context: Context,
  { name }: { name: string },
): Promise<void> => {
  const setting = parseSettingName(name)
  context.io.willPrint(['name', 'value'])
  await storeSetting(context, setting, undefined)
  if (context.json) context.io.printJson({ name: setting, value: null })
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
  { profiles }: StoredProfiles,
  profile: string | undefined,
): StoredProfiles => ({
  ...(profile !== undefined && { profile }),
  profiles,
})

const withSetting = (
  { profiles }: StoredProfiles,
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

/** Prints the path of the settings file. */
export const runConfigPath = async (context: Context): Promise<void> => {
  const { io, settings } = context
  if (context.json) io.printJson({ path: settings.path, credentials: context.credentials.path })
  else io.print(settings.path)
}
