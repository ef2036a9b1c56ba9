import type { Log } from '../platform/log.ts'
import type {
  DeclaredSetting,
  SettingsCatalog,
  SettingValues,
} from '../platform/settings/catalog.ts'
import { type StoredSettings, valuesOf } from '../platform/settings/service.ts'
import { changeableOf, mistakesOf } from './changeable.ts'
import type { Config } from './config.ts'
import type { Variable } from './declaration.ts'
import { InvalidValue } from './parsers.ts'
import { type Values, variables } from './variables.ts'

const declared = Object.entries<Variable<unknown>>(variables)

const settings: readonly DeclaredSetting[] = declared.flatMap(
  ([name, { about, fallback, parse, setting }]) =>
    setting
      ? [
          {
            name,
            about,
            fallback,
            group: setting.group,
            isSecret: setting.isSecret === true,
            hasHint: setting.isSecret === true && !setting.isMemorized,
            secretSentTo: setting.secretSentTo,
            choices: parse.choices,
            range: parse.range,
          },
        ]
      : [],
)

/** No variable has several lines, and an escape would reach a terminal. */
const CONTROL_CHARACTER = /\p{Cc}/u

const problemOf = (name: string, value: string): string | undefined => {
  const found = declared.find(([each]) => each === name)?.[1]
  const parse = found?.setting?.parse ?? found?.parse
  if (CONTROL_CHARACTER.test(value)) return `${name} must be one line of text`
  try {
    parse?.(value)
    return undefined
  } catch (error) {
    if (!(error instanceof InvalidValue)) throw error
    return `${name} must be ${error.message}`
  }
}

/** Invalid values, which a later version may refuse, are left out. */
const parseStored = (stored: SettingValues): Values =>
  Object.fromEntries(
    settings.flatMap(({ name }) => {
      const value = stored.get(name)
      return value === undefined || problemOf(name, value)
        ? []
        : [[name, variables[name as keyof typeof variables].parse(value)]]
    }),
  )

/** @param base the configuration that the environment gives. */
export const createSettingsCatalog = (base: Config): SettingsCatalog<Config> => {
  const valuesWith = (stored: SettingValues): Values => ({ ...parseStored(stored), ...base.values })
  return {
    settings,
    inEnvironment(name) {
      const value = base.values[name as keyof Values]
      return value === undefined ? undefined : String(value)
    },
    problemOf,
    problemsOf: (stored) => mistakesOf(valuesWith(stored)),
    configWith: (stored) => ({ ...base, ...changeableOf(valuesWith(stored)) }),
  }
}

/** A configuration whose parts are the current ones at each read. */
export const createLiveConfig = (current: () => Config): Config => {
  const keys = Object.keys(current()) as (keyof Config)[]
  const parts = keys.map((key) => [key, { enumerable: true, get: () => current()[key] }])
  return Object.defineProperties({}, Object.fromEntries(parts)) as Config
}

/**
 * The configuration with the current settings.
 * @returns a configuration whose parts are the current ones at each read.
 */
export const followSettings = (
  catalog: SettingsCatalog<Config>,
  settings: Pick<StoredSettings, 'current' | 'onChange'>,
  log: Pick<Log, 'warn' | 'info' | 'level'>,
): Config => {
  const follow = (): Config => {
    const stored = valuesOf(settings.current())
    for (const problem of catalog.problemsOf(stored)) log.warn({ problem }, 'invalid settings')
    return catalog.configWith(stored)
  }
  let config = follow()
  const setLevel = (before: string) => {
    if (config.logLevel !== before) log.level = config.logLevel
  }
  setLevel(catalog.configWith(new Map()).logLevel)
  settings.onChange(() => {
    const before = config.logLevel
    config = follow()
    setLevel(before)
    log.info('settings changed')
  })
  return createLiveConfig(() => config)
}
