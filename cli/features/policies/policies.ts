import {
  getOrgPolicies,
  type OrgPoliciesView,
  type UpdateOrgPolicies,
  updateOrgPolicies,
} from '../../../shared/contract/policies.ts'
import { SCOPES } from '../../../shared/contract/scopes.ts'
import { knownIn, listIn } from '../../comma-list.ts'
import { chosenOrganization } from '../../commands/orgs/chosen.ts'
import { type Context, signedInClient } from '../../context.ts'
import { oneLine } from '../../output.ts'
import { accountClient } from '../../session.ts'

interface PolicyOptions {
  secondFactor?: string
  providers?: string
  sessionHours?: number | 'none'
  keyScopes?: string
  managedSignIn?: string
}

/** `all` ends a limit. */
const limitOf = <T>(text: string | undefined, read: (text: string) => T): T | null | undefined =>
  text === 'all' ? null : text === undefined ? undefined : read(text)

/** The server validates the other values, which have the types of the contract only then. */
const changeOf = (options: PolicyOptions): UpdateOrgPolicies => {
  const { secondFactor, sessionHours, managedSignIn } = options
  const providers = limitOf(options.providers, listIn)
  const keyScopes = limitOf(options.keyScopes, (text) => knownIn(text, SCOPES, 'scope'))
  const change = {
    ...(secondFactor !== undefined && { second_factor: secondFactor }),
    ...(providers !== undefined && { providers }),
    ...(sessionHours !== undefined && {
      session_hours: sessionHours === 'none' ? null : sessionHours,
    }),
    ...(keyScopes !== undefined && { key_scopes: keyScopes }),
    ...(managedSignIn !== undefined && {
      managed_sign_in: managedSignIn === 'none' ? null : listIn(managedSignIn),
    }),
  }
  return change as UpdateOrgPolicies
}

/** Prints the policies of the organization, after a change if there are options. */
export const runOrgsPolicies = async (context: Context, options: PolicyOptions): Promise<void> => {
  const { id, name } = await chosenOrganization(context)
  const body = changeOf(options)
  const params = { org_id: id }
  const isChange = Object.keys(body).length > 0
  const policies = isChange
    ? await accountClient({ ...context, org: undefined }).call(updateOrgPolicies, { params, body })
    : await signedInClient(context).call(getOrgPolicies, { params })
  if (context.json) return context.io.printJson(policies)
  await context.io.printTable(rowsOf(policies))
  if (isChange) context.io.info(`Changed the policies of ${oneLine(name)}.`)
  for (const { message } of policies.missing)
    context.io.info(`This credential lacks something. ${message}.`)
}

const rowsOf = (policies: OrgPoliciesView): string[][] => [
  ['second factor', policies.second_factor],
  ['sign-in methods', policies.providers?.join(', ') ?? 'all'],
  [
    'session length',
    policies.session_hours === null ? 'no limit' : `${policies.session_hours} hours`,
  ],
  ['scopes of keys', policies.key_scopes?.join(', ') ?? 'all'],
  ['opens accounts of SCIM', policies.managed_sign_in?.join(', ') ?? 'none'],
]
