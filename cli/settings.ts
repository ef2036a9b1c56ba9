import { join } from 'node:path'
import { DEFAULT_URL, isApiKey, isProfileName, parseHttpUrl } from '../mcp/stdio/local-config.ts'
import { withScheme } from '../shared/server-url.ts'
import { addressOf } from '../shared/urls.ts'
import { CliError, usageError } from './errors.ts'
import { makePrivateDirectory, readPrivateFile, replacePrivateFile } from './private-file.ts'

/** The settings of a profile. */
export const profileSettingNames = ['url', 'org', 'provider', 'depth'] as const

export type ProfileSettingName = (typeof profileSettingNames)[number]

/** Other names of settings, which the help of `svc config` has. */
export const settingSynonyms = { server: 'url', organization: 'org' } as const

export type ProfileSettings = { [K in ProfileSettingName]?: string }

export interface StoredProfiles {
  /** The default profile. */
  profile?: string
  profiles: Record<string, ProfileSettings>
}

export type ProfilesFile = ReturnType<typeof openProfilesFile>

/** The settings of `svc config`: `config.json` in the configuration directory. It has no secrets. */
export const openProfilesFile = (dir: string) => {
  const path = join(dir, 'config.json')
  const read = (): StoredProfiles => {
    const text = readPrivateFile(path)
    return text === undefined ? { profiles: {} } : parse(text, path)
  }
  return {
    path,
    /** @throws CliError when the file is damaged. */
    read,
    /** Call it inside `exclusively` of the credentials, whose lock covers this file too. */
    change(update: (settings: StoredProfiles) => StoredProfiles): void {
      makePrivateDirectory(dir)
      replacePrivateFile(path, `${JSON.stringify(update(read()), null, 2)}\n`)
    },
  }
}

export const settingsForProfile = ({ profiles }: StoredProfiles, name: string): ProfileSettings =>
  Object.hasOwn(profiles, name) ? (profiles[name] ?? {}) : {}

const parse = (text: string, path: string): StoredProfiles => {
  try {
    const { profile, profiles = {} } = JSON.parse(text) as StoredProfiles
    const texts = [...Object.values(profiles).flatMap((each) => Object.values(each)), profile ?? '']
    if (texts.every((each) => typeof each === 'string'))
      return { ...(profile !== undefined && { profile }), profiles }
  } catch {}
  throw new CliError(
    `${path} is damaged; it was not changed.`,
    'Repair it, or remove it and run: svc config list',
  )
}

/** @throws CliError, whose message does not contain the text. */
export const parseApiKey = (text: string, source: string): string => {
  if (isApiKey(text)) return text
  throw usageError(`${source} is not an API key.`, 'An API key starts with svc_. Run: svc login')
}

/**
 * @param source the origin of the text. The error names it instead of the text, which may contain a
 * password.
 * @throws CliError unless the text is the address of an HTTP server, with or without the scheme.
 */
export const parseServerUrl = (text: string, source = '--url'): string => {
  const url = parseHttpUrl(withScheme(text.trim()))
  if (url && !url.username && !url.password && !url.search && !url.hash) return addressOf(url.href)
  throw usageError(
    `Invalid server URL (${source}).`,
    `It has a host, and optionally http:// or https://, a port and a path: --url ${DEFAULT_URL}`,
  )
}

/** @throws CliError */
export const parseProfileName = (text: string): string => {
  if (isProfileName(text)) return text
  throw usageError(
    'Invalid profile name.',
    'Use letters, digits, dots, dashes and underscores: --profile work',
  )
}
