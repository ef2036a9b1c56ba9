import { count } from './tools/numbers.ts'

export const scim = {
  title: 'Provisioning',
  intro:
    'An identity provider such as Okta or Entra ID creates and removes the members over SCIM. It needs this address and a token.',
  copyAddress: 'Copy the SCIM address',
  provisioned: (users: number, groups: number) =>
    `Provisioned: ${count(users, { one: 'user', other: 'users' })}, ${count(groups, { one: 'group', other: 'groups' })}`,
  list: 'SCIM tokens',
  none: 'No SCIM tokens.',
  ownersOnly: 'Owners create tokens.',
  name: 'Name',
  nameNote: 'For example the name of the identity provider.',
  lastUsed: 'Last used',
  create: 'Create SCIM token',
  created: 'SCIM token created',
  createdNote: 'Copy the token now. It is not shown again.',
  copy: 'Copy the token',
  done: 'Done',
  revoke: 'Revoke',
  revokeNamed: (name: string) => `Revoke ${name}`,
  revokeTitle: (name: string) => `Revoke “${name}”?`,
  revokeNote: 'The identity provider loses access at once. Users and groups stay.',
  revoked: (name: string) => `Revoked ${name}`,
} as const
