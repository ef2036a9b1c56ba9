import { SETTING_GROUPS, type SettingGroup } from '../../shared/contract/server-settings.ts'
import type { Variable } from './declaration.ts'
import { openIdVariables } from './openid.ts'
import { variables } from './variables.ts'

/** The table of variables in `docs/reference/configuration.md`. */
export const configTable = (): string =>
  ['| Variable | Description | Default |', '|---|---|---|', ...tableRows()].join('\n')

const tableRows = () => {
  const openId = Object.entries<Variable<unknown>>(openIdVariables).map(
    ([part, row]) => [`SVC_OIDC_<NAME>_${part}`, row] as const,
  )
  return [...Object.entries<Variable<unknown>>(variables), ...openId].map(([name, row]) => {
    const { about, alias, fallback } = row
    const note = alias ? `; alias: \`${alias}\`` : ''
    return `| \`${name}\` | ${about}${note} | ${fallback && `${fallback} `}|`
  })
}

/** The table of settings in `docs/reference/configuration.md`. */
export const settingTable = (): string =>
  [
    '| Group | Variables |',
    '|---|---|',
    ...SETTING_GROUPS.map((group) => `| ${group} | ${variablesOf(group).join(', ')} |`),
  ].join('\n')

const variablesOf = (group: SettingGroup): string[] =>
  Object.entries<Variable<unknown>>(variables).flatMap(([name, { setting }]) =>
    setting?.group === group ? [`\`${name}\``] : [],
  )
