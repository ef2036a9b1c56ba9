import { Argument, type Command, Option } from 'commander'
import type { OrgRole } from '../../shared/contract/organizations.ts'
import { features } from '../features.ts'
import { organizationAppCommands } from './clients.ts'
import { defineCommands, type RunWithContext } from './define.ts'
import { examples } from './examples.ts'

// Listed here, because importing the schema would load TypeBox on every start.
const roles = Object.keys({
  owner: true,
  admin: true,
  member: true,
} satisfies Record<OrgRole, true>)
const invitedRoles = roles.filter((role) => role !== 'owner')

export const organizationCommands = (program: Command, run: RunWithContext): void => {
  const orgs = program.command('orgs').description('Manage organizations and their members')

  const organization = defineCommands(orgs, run, () => import('../commands/orgs/organizations.ts'))
  organization('list', 'List your organizations', (module) => module.runOrgsList)
  organization(
    'create <name>',
    'Create an organization and print its ID',
    (module) => module.runOrgsCreate,
  ).addHelpText('after', examples('svc orgs create Analytics'))
  organization(
    'switch [organization]',
    'Act in an organization from now on, by ID or name',
    (module) => module.runOrgsSwitch,
  )
    .option('--personal', 'act in your personal memory')
    .addHelpText('after', examples('svc orgs switch Analytics', 'svc orgs switch --personal'))
  organization(
    'rename <organization> <name>',
    'Rename an organization, by ID or name',
    (module) => module.runOrgsRename,
  ).addHelpText('after', examples('svc orgs rename Analytics Research'))
  organization(
    'delete <organization>',
    'Delete an organization with its API keys and memories permanently',
    (module) => module.runOrgsDelete,
  )
    .option('--yes', 'skip the confirmation')
    .addHelpText('after', examples('svc orgs delete Research'))
  organization('join <link>', 'Accept an invite', (module) => module.runOrgsJoin).addHelpText(
    'after',
    examples('svc orgs join "http://…/invite?token=…"'),
  )
  memberCommands(orgs, run)
  inviteCommands(orgs, run)
  organizationAppCommands(orgs, run)
  domainCommands(orgs, run)
  for (const { organizationCommands } of features) organizationCommands?.(orgs, run)
}

const memberCommands = (orgs: Command, run: RunWithContext): void => {
  const member = defineCommands(orgs, run, () => import('../commands/orgs/members.ts'))
  member('members', 'List the members of the organization', (module) => module.runOrgsMembers)
  member(
    'role <member>',
    'Change the role of a member, named by ID, username or email',
    (module) => module.runOrgsRole,
  )
    .addArgument(new Argument('<role>', 'new role').choices(roles))
    .addHelpText('after', examples('svc orgs role ben@example.com admin --org Analytics'))
  member(
    'remove <member>',
    'Remove a member, named by ID, username or email',
    (module) => module.runOrgsRemove,
  )
    .option('--yes', 'skip the confirmation')
    .addHelpText('after', examples('svc orgs remove ben@example.com --org Analytics'))
  member('leave', 'Leave the organization', (module) => module.runOrgsLeave)
    .option('--yes', 'skip the confirmation')
    .addHelpText('after', examples('svc orgs leave --org Analytics'))
}

const inviteCommands = (orgs: Command, run: RunWithContext): void => {
  const invite = defineCommands(orgs, run, () => import('../commands/orgs/invites.ts'))
  invite('invite <email>', 'Invite a user by email and print the link', (m) => m.runOrgsInvite)
    .addOption(
      new Option('--role <role>', 'role of the user (default "member")').choices(invitedRoles),
    )
    .addHelpText('after', examples('svc orgs invite ben@example.com --role admin --org Analytics'))
  invite('invites', 'List the open invites', (module) => module.runOrgsInvites)
  invite('withdraw <email>', 'Withdraw an invite', (module) => module.runOrgsWithdraw)
    .option('--yes', 'skip the confirmation')
    .addHelpText('after', examples('svc orgs withdraw ben@example.com --yes'))
}

const domainCommands = (orgs: Command, run: RunWithContext): void => {
  const domain = defineCommands(orgs, run, () => import('../commands/orgs/domains.ts'))
  domain('domains', 'List the email domains of the organization', (m) => m.runOrgsDomains)
  domain(
    'add-domain <domain>',
    'Add an email domain and print the DNS record that verifies it',
    (module) => module.runOrgsAddDomain,
  )
    .option('--joins', 'users with an address there join by themselves')
    .addHelpText('after', examples('svc orgs add-domain acme-analytics.com --joins'))
  domain(
    'verify-domain <domain>',
    'Look for the DNS record of an email domain now',
    (module) => module.runOrgsVerifyDomain,
  )
    .option('--joins', 'users with an address there join by themselves')
    .option('--no-joins', 'users join by an invite only')
    .addHelpText('after', examples('svc orgs verify-domain acme-analytics.com --no-joins'))
  domain('remove-domain <domain>', 'Remove an email domain', (m) => m.runOrgsRemoveDomain)
    .option('--yes', 'skip the confirmation')
    .addHelpText('after', examples('svc orgs remove-domain acme-analytics.com --yes'))
}
