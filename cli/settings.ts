import { join } from 'node:path'
import { CliError } from './errors.ts'
import { makePrivate, readPrivate, replacePrivate } from './private-file.ts'

/** What can be settled for a profile. */
export const profileSettings = ['url', 'org', 'provider', 'depth'] as const

export type ProfileSetting = (typeof profileSettings)[number]

export type SettingsOfProfile = { [K in ProfileSetting]?: string }

export interface StoredSettings {
  /** The profile where none is named. */
  profile?: string
  profiles: Record<string, SettingsOfProfile>
}

export type Settings = ReturnType<typeof openSettings>

/** What the person has settled: `config.json` in svc's directory. It holds no secret. */
export const openSettings = (dir: string) => {
  const path = join(dir, 'config.json')
  const read = (): StoredSettings => {
    const text = readPrivate(path)
    return text === undefined ? { profiles: {} } : parse(text, path)
  }
  return {
    path,
    /** @throws CliError when the file is damaged. */
    read,
    /** Call it inside `exclusively` of the credentials, which are in the same place. */
    change(alter: (settings: StoredSettings) => StoredSettings): void {
      makePrivate(dir)
      replacePrivate(path, `${JSON.stringify(alter(read()), null, 2)}\n`)
    },
  }
}

export const settingsOf = ({ profiles }: StoredSettings, name: string): SettingsOfProfile =>
  Object.hasOwn(profiles, name) ? (profiles[name] ?? {}) : {}

const parse = (text: string, path: string): StoredSettings => {
  try {
    const { profile, profiles = {} } = JSON.parse(text) as StoredSettings
    const texts = [...Object.values(profiles).flatMap((each) => Object.values(each)), profile ?? '']
    if (texts.every((each) => typeof each === 'string'))
      return { ...(profile !== undefined && { profile }), profiles }
  } catch {}
  throw new CliError(
    `${path} is damaged; it was left as it is.`,
    'Repair it, or remove it and run: svc config list',
  )
}
