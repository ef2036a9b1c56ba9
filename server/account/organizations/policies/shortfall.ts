import type {
  OrgPolicies,
  OrgPolicyRefusal,
  PolicyShortfall,
} from '../../../../shared/contract/organization-policies.ts'
import { isWithinScopes } from '../../../../shared/contract/scopes.ts'
import type { Proof, SecondFactor } from '../../../platform/http/caller.ts'

/** The policies of an organization, and the strongest second factor that an account has set up. */
export interface PolicyFacts {
  /** Null: none. */
  policies: OrgPolicies | null
  /** Null: none, or not needed. */
  accountFactor: SecondFactor | null
}

const HOUR_MS = 3_600_000
/** The screens of the console where second factors are set up. */
const PASSKEYS = '/app/settings/passkeys'
const SECOND_FACTOR = '/app/settings/second-factor'

/**
 * Compares a credential with policies. It is held to each that its kind has: a session to how its user signed
 * in, an app to that of its authorization, and both an app and an API key to their scopes.
 * @param proof undefined for an admin who uses the account, who is not held to them.
 * @returns what the credential lacks.
 */
export const shortfallOf = (
  { policies, accountFactor }: PolicyFacts,
  proof: Proof | undefined,
): PolicyShortfall[] => {
  if (!policies || !proof) return []
  if (proof.isPersonalKey && limitsSignIns(policies))
    return [ORG_KEY, ...scopeShortfall(policies, proof)]
  return [
    ...factorShortfall(policies, proof, accountFactor),
    ...signInShortfall(policies, proof),
    ...scopeShortfall(policies, proof),
  ]
}

const limitsSignIns = ({ second_factor, providers, session_hours }: OrgPolicies): boolean =>
  second_factor !== 'none' || providers !== null || session_hours !== null

/** Any session can have created a key of the user; one of the organization needs a sign-in that met its policies. */
const ORG_KEY: PolicyShortfall = {
  policy: 'providers',
  action: 'use_org_key',
  message: 'Use an API key of the organization (svc keys create NAME --org ORGANIZATION)',
}

const factorShortfall = (
  { second_factor: required }: OrgPolicies,
  { kind, secondFactor }: Proof,
  accountFactor: SecondFactor | null,
): PolicyShortfall[] => {
  if (required === 'none') return []
  const suffices = (factor: SecondFactor | null) =>
    required === 'any' ? factor !== null : factor === 'passkey'
  const policy = 'second_factor'
  if (!suffices(accountFactor))
    return required === 'passkey'
      ? [{ policy, action: 'add_passkey', message: `Add a passkey (${PASSKEYS})` }]
      : [
          {
            policy,
            action: 'add_second_factor',
            message: `Add a passkey or turn on codes of an authenticator app (${SECOND_FACTOR})`,
          },
        ]
  if (kind === 'key' || suffices(secondFactor)) return []
  const again = kind === 'app' ? '. Then authorize the app again' : ''
  return required === 'passkey'
    ? [{ policy, action: 'use_passkey', message: `Sign in again with your passkey${again}` }]
    : [
        {
          policy,
          action: 'use_second_factor',
          message: `Sign in again with your second factor${again}`,
        },
      ]
}

const signInShortfall = (
  { providers, session_hours }: OrgPolicies,
  { kind, method, signedInAt }: Proof,
): PolicyShortfall[] => {
  const shortfall: PolicyShortfall[] = []
  if (providers && kind !== 'key' && (method === null || !providers.includes(method)))
    shortfall.push({
      policy: 'providers',
      action: 'use_provider',
      allowed: providers,
      message: `Sign in again with one of: ${providers.join(', ')}${kind === 'app' ? '. Then authorize the app again' : ''}`,
    })
  const isOld =
    session_hours !== null && Date.now() - signedInAt.getTime() > session_hours * HOUR_MS
  if (isOld && kind === 'session')
    shortfall.push({
      policy: 'session_hours',
      action: 'sign_in_again',
      message: `Sign in again: your last sign-in was more than ${session_hours} hours ago`,
    })
  return shortfall
}

const scopeShortfall = (
  { key_scopes: allowed }: OrgPolicies,
  { kind, scopes }: Pick<Proof, 'kind' | 'scopes'>,
): PolicyShortfall[] =>
  kind === 'session' || isWithinScopes(scopes, allowed)
    ? []
    : [
        {
          policy: 'key_scopes',
          action: 'narrow_scopes',
          allowed: allowed ?? [],
          message: `Limit the scopes of this ${kind === 'key' ? 'API key' : 'app'} to: ${(allowed ?? []).join(', ')}`,
        },
      ]

/** The detail of the 403. */
export const refusalOf = (
  org: { id: string; name: string },
  missing: PolicyShortfall[],
): OrgPolicyRefusal => ({
  error: 'org_policy',
  message: `The policies of the organization “${org.name}” require more. ${wordsOf(missing)}`,
  org_id: org.id,
  missing,
})

export const wordsOf = (missing: readonly PolicyShortfall[]): string =>
  missing.map(({ message }) => `${message}.`).join(' ')
