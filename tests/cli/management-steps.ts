import { ID, type Step } from './transcript.ts'

// BEN is the username of another user.
const BEN_EMAIL = 'BEN_EMAIL'

export const peopleSteps: Step[] = [
  { typed: ['orgs', 'list'] },
  { typed: ['orgs', 'members'] },
  { typed: ['orgs', 'create', 'Analytics'], keeps: ['ORG', ID] },
  { typed: ['orgs', 'switch', 'Analytics'] },
  { typed: ['orgs', 'list'] },
  { typed: ['orgs', 'members'], narrow: true },
  { typed: ['orgs', 'invites'] },
  {
    typed: ['orgs', 'invite', BEN_EMAIL, '--role', 'admin'],
    keeps: ['LINK', /(http\S+token=[\w-]+)/],
  },
  { typed: ['orgs', 'invites'], narrow: true },
  { typed: ['orgs', 'join', 'LINK'] },
  { typed: ['orgs', 'withdraw', BEN_EMAIL], does: [[/\[y\/N\] /, 'n\r']] },
  { typed: ['orgs', 'withdraw', BEN_EMAIL, '--yes'] },
  { typed: ['orgs', 'role', BEN_EMAIL, 'admin'] },
  { typed: ['orgs', 'remove', BEN_EMAIL, '--yes'] },
  { typed: ['orgs', 'leave', '--yes'] },
  { typed: ['orgs', 'rename', 'Analytics', 'Research'] },
  { typed: ['orgs', 'delete', 'Analytics', '--yes'] },
  { typed: ['orgs', 'delete', 'Research'], does: [[/\[y\/N\] /, 'n\r']] },
  { typed: ['orgs', 'delete', 'research', '--yes'] },
  { typed: ['orgs', 'switch', '--personal'] },
  { typed: ['chat', '--provider', 'openai', 'Hello.'], keeps: ['SESSION', ID] },
  { typed: ['sessions', 'rename', 'last', 'The boiler'] },
  { typed: ['sessions', 'archive', 'last'] },
  { typed: ['sessions', 'unarchive', 'SESSION'] },
  { typed: ['share', 'list'] },
  { typed: ['share', 'create', 'last'], keeps: ['SHARE', /(http:[^\s"]+\/s\/[\w-]+)/] },
  { typed: ['share', 'list'], narrow: true },
  { typed: ['share', 'revoke', 'SHARE'], does: [[/\[y\/N\] /, 'y\r']] },
  { typed: ['share', 'revoke', 'SHARE', '--yes'] },
  { typed: ['sessions', 'delete', 'SESSION', '--yes'] },
  { typed: ['sessions', 'delete', 'SESSION', '--yes'] },
  { typed: ['messages', 'list'] },
  { typed: ['messages', 'send', 'BEN', 'Lunch at one?'] },
  { typed: ['messages', 'list'], narrow: true },
  { typed: ['messages', 'read', '@BEN'] },
  { typed: ['messages', 'read', 'BEN'] },
]

export const automationSteps: Step[] = [
  { typed: ['devices', 'list'] },
  { typed: ['devices', 'create', 'Greenhouse', '--capability', 'temperature'] },
  { typed: ['devices', 'list'], narrow: true },
  { typed: ['reflexes', 'list'] },
  { typed: ['reflexes', 'create', 'too-hot.json'] },
  { typed: ['reflexes', 'create', 'broken.json'] },
  { typed: ['reflexes', 'list'], narrow: true },
  { typed: ['reflexes', 'show', 'Too hot'] },
  { typed: ['reflexes', 'firings', 'Too hot'] },
  { typed: ['reflexes', 'disable', 'Too hot'] },
  { typed: ['reflexes', 'enable', 'too hot'] },
  { typed: ['devices', 'signal', 'Greenhouse', '{"temperature":21.5}'] },
  { typed: ['devices', 'signal', 'Greenhouse', 'hot', '--type', 'number'] },
  { typed: ['devices', 'signal', 'Cellar', '21.5'] },
  { typed: ['reflexes', 'delete', 'Too hot', '--yes'] },
  { typed: ['devices', 'delete', 'Greenhouse'], does: [[/\[y\/N\] /, 'y\r']] },
  { typed: ['devices', 'delete', 'Greenhouse', '--yes'] },
  { typed: ['reminders', 'list'] },
  { typed: ['reminders', 'done', 'call Ada'] },
  { typed: ['reminders', 'snooze', 'call Ada'] },
  { typed: ['reminders', 'delete', 'call Ada', '--yes'] },
  { typed: ['conflicts', 'list'] },
  { typed: ['conflicts', 'settle', 'home', 'Lisbon'] },
]

const RECOVERY_CODE = /(\b\w{4}-\w{4}-\w{4}-\w{4}\b)/

export const accountSteps: Step[] = [
  { typed: ['usage'] },
  { typed: ['open'] },
  { typed: ['open', 'automation'] },
  { typed: ['open', 'automaton'] },
  { typed: ['mfa', 'status'] },
  { typed: ['mfa', 'confirm', '000000'] },
  { typed: ['mfa', 'enable'], keeps: ['SECRET', /secret=(\w+)/] },
  { typed: ['mfa', 'confirm', 'CODE'], keeps: ['FIRST', RECOVERY_CODE] },
  { typed: ['mfa', 'enable'] },
  { typed: ['mfa', 'status'] },
  { typed: ['mfa', 'recovery-codes', 'FIRST'], keeps: ['SECOND', RECOVERY_CODE] },
  { typed: ['mfa', 'disable', 'SECOND', '--yes'] },
]

const REASON = ['--reason', 'A test.']

/** For an admin. */
export const adminSteps: Step[] = [
  { typed: ['admin', 'users', 'list', '--search', BEN_EMAIL], narrow: true },
  { typed: ['admin', 'users', 'show', BEN_EMAIL] },
  { typed: ['admin', 'users', 'disable', BEN_EMAIL] },
  { typed: ['admin', 'users', 'disable', BEN_EMAIL, ...REASON], does: [[/\[y\/N\] /, 'y\r']] },
  { typed: ['admin', 'users', 'disable', BEN_EMAIL, ...REASON, '--yes'] },
  { typed: ['admin', 'users', 'enable', BEN_EMAIL] },
  { typed: ['admin', 'tier', 'set', BEN_EMAIL, 'awakened'] },
  { typed: ['admin', 'tier', 'set', BEN_EMAIL, 'none'] },
  { typed: ['admin', 'users', 'show', 'carol'] },
  { typed: ['admin', 'engines', 'list'], narrow: true },
  { typed: ['admin', 'engines', 'disable', 'graph', ...REASON] },
  { typed: ['admin', 'engines', 'enable', 'graph', ...REASON] },
  { typed: ['admin', 'engines', 'enable', 'steam', ...REASON] },
  { typed: ['admin', 'handlers', 'list', 'action_types'] },
  { typed: ['admin', 'handlers', 'disable', 'action_types', 'webhook', ...REASON] },
  { typed: ['admin', 'handlers', 'enable', 'action_types', 'webhook', ...REASON] },
  { typed: ['admin', 'jobs'] },
]
