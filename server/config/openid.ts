import { OAUTH_PROVIDERS } from '../../shared/contract/oauth-sign-in.ts'
import { SIGN_IN_METHODS } from '../../shared/contract/organization-policies.ts'
import type { OpenIdProviderOptions } from '../account/sign-in/oauth/providers/openid.ts'
import { type Variable, variable } from './declaration.ts'
import { InvalidValue, issuer, label, openIdScopes, text } from './parsers.ts'

const OPEN_ID_PARTS = ['ISSUER', 'ID', 'SECRET', 'SCOPES', 'LABEL'] as const

const OPEN_ID_SCOPES = 'openid email'

/** The variables of one OpenID provider, `SVC_OIDC_<NAME>_<PART>`. */
export const openIdVariables = {
  ISSUER: variable(
    'Issuer of the OpenID provider with that name; enables signing in with it',
    issuer,
  ),
  ID: variable('Client id at that provider', text),
  SECRET: variable('Client secret at that provider', text),
  SCOPES: variable('Scopes to request, separated by spaces', openIdScopes, OPEN_ID_SCOPES),
  LABEL: variable('Name of that provider on buttons', label, 'the host of the issuer'),
} satisfies Record<(typeof OPEN_ID_PARTS)[number], Variable<string>>

type Part = (typeof OPEN_ID_PARTS)[number]

const VARIABLE = /^SVC_OIDC_(.+)_([A-Z]+)$/
const NAME = /^[A-Z0-9_]{1,30}$/
const REQUIRED = ['ISSUER', 'ID', 'SECRET'] as const
const BUILT_IN = new Set([...OAUTH_PROVIDERS, ...SIGN_IN_METHODS].map((name) => name.toUpperCase()))

interface OpenIdVariables {
  providers: OpenIdProviderOptions[]
  mistakes: string[]
  /** The variables that were read. */
  names: Set<string>
}

/** Reads the OpenID providers, `SVC_OIDC_<NAME>_<PART>`, in the order of their names. */
export const readOpenId = (env: Record<string, string | undefined>): OpenIdVariables => {
  const names = new Set<string>()
  const mistakes: string[] = []
  const found = new Map<string, Partial<Record<Part, string>>>()
  for (const variable of Object.keys(env).sort()) {
    const [, name = '', suffix] = VARIABLE.exec(variable) ?? []
    const part = OPEN_ID_PARTS.find((known) => known === suffix)
    const value = env[variable]?.trim()
    if (!part) continue
    names.add(variable)
    if (!value) continue
    const parts = found.get(name) ?? {}
    found.set(name, parts)
    try {
      parts[part] = openIdVariables[part].parse(value)
    } catch (error) {
      if (!(error instanceof InvalidValue)) throw error
      mistakes.push(`${variable} must be ${error.message}`)
      parts[part] = value
    }
  }
  for (const [name, parts] of found) mistakes.push(...nameMistakes(name, parts))
  const providers = [...found].flatMap(([name, parts]) => settingsOf(name, parts))
  return { providers, mistakes, names }
}

const nameMistakes = (name: string, parts: Partial<Record<Part, string>>): string[] => {
  const prefix = `SVC_OIDC_${name}`
  if (!NAME.test(name))
    return [`${prefix}_* must have a name of 1 to 30 characters of A-Z, 0-9 and _`]
  if (BUILT_IN.has(name))
    return [
      `${prefix}_* must have another name: ${OAUTH_PROVIDERS.join(', ')} are built in, with SVC_OAUTH_*, and ${SIGN_IN_METHODS.join(', ')} are other methods`,
    ]
  const missing = REQUIRED.filter((part) => parts[part] === undefined)
  return missing.length
    ? [`${prefix}_* requires ${missing.map((part) => `${prefix}_${part}`).join(' and ')}`]
    : []
}

const settingsOf = (
  name: string,
  parts: Partial<Record<Part, string>>,
): OpenIdProviderOptions[] => {
  const { ISSUER: issuer, ID: clientId, SECRET: clientSecret, SCOPES, LABEL } = parts
  if (!issuer || !clientId || !clientSecret) return []
  return [
    {
      name: name.toLowerCase(),
      label: LABEL ?? URL.parse(issuer)?.hostname ?? name,
      issuer,
      clientId,
      clientSecret,
      scopes: SCOPES ?? OPEN_ID_SCOPES,
    },
  ]
}
