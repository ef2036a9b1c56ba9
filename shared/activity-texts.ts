import type { ActivityEvent, ActivityKind } from './contract/activity.ts'

const count = (number: number, one: string, many: string): string =>
  `${number.toLocaleString()} ${number === 1 ? one : many}`
const memoriesOf = (number: number): string => count(number, 'memory', 'memories')

/** Events in words, by their kind: the end of a sentence that begins with the assistant or “you”. */
export const ACTIVITY_TEXTS: Readonly<Record<ActivityKind, (number: number) => string>> = {
  recall: (number) => `recalled ${memoriesOf(number)}`,
  context: (number) => (number ? `was given ${memoriesOf(number)}` : 'was given no memory'),
  'memory.stored': (number) => `remembered ${memoriesOf(number)}`,
  'memory.changed': (number) => `changed ${memoriesOf(number)}`,
  'memory.superseded': (number) => `replaced ${memoriesOf(number)}`,
  'memory.forgotten': (number) => `deleted ${memoriesOf(number)}`,
  'memory.erased': (number) => `erased ${memoriesOf(number)}`,
  'memory.restored': (number) => `restored ${memoriesOf(number)}`,
  'fact.found': (number) => `found ${count(number, 'fact', 'facts')}`,
  'contradiction.found': (number) => `found a contradiction between ${memoriesOf(number)}`,
  'reminder.found': (number) => `found ${count(number, 'reminder', 'reminders')}`,
  'conversation.captured': (number) => `captured ${count(number, 'turn', 'turns')}`,
  'conversation.forgotten': (number) => `deleted a conversation of ${memoriesOf(number)}`,
  'conversation.restored': (number) => `restored a conversation of ${memoriesOf(number)}`,
  'import.finished': (number) => `imported ${memoriesOf(number)}`,
  'message.received': () => 'received a message',
  'message.sent': () => 'sent a message',
  'session.started': () => 'signed in',
  'session.failed': () => 'failed to sign in',
  'key.created': () => 'created an API key',
  'key.revoked': () => 'revoked an API key',
  'account.changed': () => 'changed the account',
  'reflex.fired': () => 'have a reflex that ran',
  'reflex.failed': () => 'have a reflex that failed',
  'confirmation.waiting': () => 'have an action to confirm',
}

/** An event in words. A kind of a later version is shown by its name. */
export const describeActivity = ({ kind, count }: Pick<ActivityEvent, 'kind' | 'count'>): string =>
  (ACTIVITY_TEXTS[kind] as ((count: number) => string) | undefined)?.(count) ?? kind

/** The text that an event is about. */
export const activityText = ({
  question,
  subject,
  memories: [first],
}: Pick<ActivityEvent, 'question' | 'subject' | 'memories'>): string | null =>
  question ?? subject ?? first?.excerpt ?? null
