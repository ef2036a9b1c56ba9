import type { SettingGroup } from '../../../shared/contract/server-settings.ts'

/** A variable that an admin can set while the server runs. */
export interface DeclaredSetting {
  name: string
  group: SettingGroup
  about: string
  /** The default, in words. */
  fallback: string
  isSecret: boolean
  /** The end of the secret is shown, by which an admin recognizes it. */
  hasHint: boolean
  /** The secret that is sent to this URL. */
  secretSentTo: string | undefined
  choices: readonly string[] | undefined
  range: readonly [number, number] | undefined
}

/** Values by name. */
export type SettingValues = ReadonlyMap<string, string>

/** The variables that can change, and how their values become the configuration. */
export interface SettingsCatalog<Config> {
  settings: readonly DeclaredSetting[]
  /** The value of the environment. */
  inEnvironment(name: string): string | undefined
  /** @returns what is wrong with a value. */
  problemOf(name: string, value: string): string | undefined
  /** @returns what is wrong with these values together, and with those of the environment. */
  problemsOf(values: SettingValues): string[]
  /** The configuration with these values, which those of the environment override. */
  configWith(values: SettingValues): Config
}
