import { join } from 'node:path'
import { CliError } from './errors.ts'
import { makePrivateDirectory, readPrivateFile, replacePrivateFile } from './private-file.ts'

/** The settings of a profile. */
export const profileSettingNames = ['url', 'org', 'provider', 'depth'] as const

export type ProfileSettingName = (typeof profileSettingNames)[number]

export type ProfileSettings = { [K in ProfileSettingName]?: string }

export interface StoredSettings {
  /** The default profile. */
  profile?: string
  profiles: Record<string, ProfileSettings>
}

export type SettingsFile = ReturnType<typeof openSettingsFile>

/** The settings of `svc config`: `config.json` in the configuration directory. It has no secrets. */
export const openSettingsFile = (dir: string) => {
  const path = join(dir, 'config.json')
  const read = (): StoredSettings => {
    const text = readPrivateFile(path)
    return text === undefined ? { profiles: {} } : parse(text, path)
  }
  return {
    path,
    /** @throws CliError when the file is damaged. */
    read,
    /** Call it inside `exclusively` of the credentials, whose lock covers this file too. */
    change(update: (settings: StoredSettings) => StoredSettings): void {
      makePrivateDirectory(dir)
      replacePrivateFile(path, `${JSON.stringify(update(read()), null, 2)}\n`)
    },
  }
}

export const settingsForProfile = ({ profiles }: StoredSettings, name: string): ProfileSettings =>
  Object.hasOwn(profiles, name) ? (profiles[name] ?? {}) : {}

const parse = (text: string, path: string): StoredSettings => {
  try {
    const { profile, profiles = {} } = JSON.parse(text) as StoredSettings
    const texts = [...Object.values(profiles).flatMap((each) => Object.values(each)), profile ?? '']
    if (texts.every((each) => typeof each === 'string'))
      return { ...(profile !== undefined && { profile }), profiles }
  } catch {}
  throw new CliError(
    `${path} is damaged; it was not changed.`,
    'Repair it, or remove it and run: svc config list',
  )
}
