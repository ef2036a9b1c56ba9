import type { Command } from 'commander'
import type { CliFeature } from '../../feature.ts'
import { defineCommands, type RunWithContext } from '../../parse/define.ts'
import { examples } from '../../parse/examples.ts'
import { parsePositiveInteger } from '../../parse/values.ts'

const policyCommands = (orgs: Command, run: RunWithContext): void => {
  const policy = defineCommands(orgs, run, () => import('./policies.ts'))
  policy(
    'policies',
    'Show the policies of the organization, or change them',
    (m) => m.runOrgsPolicies,
  )
    .option('--second-factor <kind>', 'none, any or passkey')
    .option('--providers <list>', 'the methods to sign in with, or: all')
    .option(
      '--session-hours <hours>',
      'how long after the sign-in a session may use it, or: none',
      (text) => (text === 'none' ? text : parsePositiveInteger(text)),
    )
    .option('--key-scopes <list>', 'the scopes that keys and apps may have in it, or: all')
    .option(
      '--managed-sign-in <list>',
      'the providers that open the accounts of its SCIM users (owners only), or: none',
    )
    .addHelpText(
      'after',
      examples(
        'svc orgs policies --second-factor any --session-hours 720',
        'svc orgs policies --providers password,google --key-scopes memory:read,memory:write',
      ),
    )
}

export const policies: CliFeature = { name: 'policies', organizationCommands: policyCommands }
