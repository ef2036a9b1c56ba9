import type { SettingGroup } from '../../shared/contract/server-settings.ts'
import type { Parse } from './parsers.ts'

export interface Variable<T> {
  about: string
  parse: Parse<T>
  /** The default, for the documentation. `readConfig` applies it, because some depend on other variables. */
  fallback: string
  /** A second name of the variable, which hosting platforms set. */
  alias?: string
  /** Set for a variable that an admin can set while the server runs. */
  setting?: SettingOptions
}

export interface SettingOptions<T = unknown> {
  group: SettingGroup
  /** Parses the value of an admin, where it must be narrower than that of the environment. */
  parse?: Parse<T>
  /** The value is never shown. */
  isSecret?: true
  /** A person made the secret up, so its end is not shown either. */
  isMemorized?: true
  /** The variable of the secret that is sent to this URL. Another URL needs the secret again. */
  secretSentTo?: string
}

export const variable = <T>(
  about: string,
  parse: Parse<T>,
  fallback = '',
  alias?: string,
): Variable<T> => ({ about, parse, fallback, ...(alias && { alias }) })

/** Lets admins set a variable while the server runs. The value in the environment wins. */
export const setting = <T>(
  group: SettingGroup,
  declared: Variable<T>,
  options: Omit<SettingOptions<T>, 'group'> = {},
): Variable<T> => ({ ...declared, setting: { group, ...options } })
