import type { Labels } from './tools/labels.ts'
import { count } from './tools/numbers.ts'

/** Texts of the reflexes of the area automation. */
export const reflexes = {
  title: 'Reflexes',
  intro: 'A reflex acts on an event: a signal, a time, a new memory or a message.',
  list: 'Reflexes',
  create: 'New reflex',
  name: 'Name',
  rule: 'Rule',
  enabled: 'On',
  enabledOf: (name: string) => `On: ${name}`,
  turnedOn: (name: string) => `${name} is on`,
  turnedOff: (name: string) => `${name} is off`,
  lastFired: 'Last fired',
  next: 'Next',
  nextAt: 'Next time',
  empty: 'No reflexes',
  emptyNote: 'For example: notify me when the greenhouse is hotter than 30 degrees.',
  asksFirst: 'Asks first',
  disabled: 'Disabled by svc',
  alwaysSkipped: 'Always skipped',
  skippedNote: 'You decided to always skip this reflex. It does not run.',
  runAgain: 'Let it run again',
  runsAgain: 'It runs again',
  back: 'All reflexes',
  edit: 'Edit',
  more: (name: string) => `More actions for ${name}`,
  delete: 'Delete reflex',
  deleteTitle: (name: string) => `Delete “${name}”?`,
  deleteNote: 'Its firings and open confirmations are deleted too. This cannot be undone.',
  deleted: (name: string) => `Deleted ${name}`,
  renewSecret: 'New webhook secret',
  renewTitle: 'Replace the webhook secret?',
  renewNote: 'The current secret stops working at once. Your server needs the new one.',
  renew: 'Replace secret',
  secret: 'Webhook secret',
  secretNote:
    'Your server checks with it that a request is from svc. Copy it now: it is shown once.',
  copySecret: 'Copy the secret',
  done: 'Done',
  when: 'When',
  conditions: 'If',
  effect: 'Then',
} as const

export const trial = {
  title: 'Try it with an event',
  note: 'JSON. Nothing is sent or stored.',
  event: 'Event',
  action: 'Try',
  invalid: 'This must be a JSON object.',
  fires: 'This event fires the reflex:',
  doesNotFire: 'This event does not fire the reflex:',
  notTriggered: 'The trigger does not match it.',
  unmet: (condition: string) => `Not met: ${condition}`,
} as const

export const firings = {
  title: 'Firings',
  note: 'Events that met the conditions, newest first, of the last 30 days.',
  empty: 'It has not fired yet.',
  attempts: (attempts: number) =>
    count(attempts, { one: 'failed attempt', other: 'failed attempts' }),
  states: {
    pending: 'Running',
    waiting: 'Waits for you',
    done: 'Done',
    failed: 'Failed',
    skipped: 'Skipped',
    limited: 'Over the limit',
  },
  decide: 'Decide',
} as const

export const editor = {
  create: 'New reflex',
  createAction: 'Create reflex',
  created: (name: string) => `Created ${name}`,
  edit: (name: string) => `Edit ${name}`,
  saved: (name: string) => `Saved ${name}`,
  name: 'Name',
  when: 'When',
  conditions: 'If',
  conditionsNote: 'All conditions must be met. Without one, every such event counts.',
  effect: 'Then',
  trigger: 'Trigger',
  triggers: {
    signal: 'A device sends a signal',
    schedule: 'A time comes',
    memory: 'A memory is written',
    message: 'A message is sent',
  },
  device: 'Device',
  anyDevice: 'Any device',
  signalType: 'Type of signal',
  anyType: 'Any type',
  schedule: 'Schedule',
  schedules: { cron: 'Recurring', at: 'Once' },
  cron: 'Cron expression',
  cronNote:
    'Minute, hour, day of month, month, day of week: 30 7 * * 1-5 is 7:30 on workdays. Or @daily.',
  at: 'Time',
  timezone: 'Time zone',
  timezoneNote: 'Such as Europe/Berlin. Empty: your own.',
  memoryType: 'Type of memory',
  tags: 'Tags',
  tagsNote: 'Separated by commas. The memory must have all of them.',
  contains: 'Contains the words',
  source: 'Where',
  anySource: 'Anywhere',
  sources: {
    chat: 'Chat: your messages',
    talk: 'Talk: messages of your agents',
    dm: 'Messages of other users',
  },
  addCondition: 'Add condition',
  removeCondition: (number: number) => `Remove condition ${number}`,
  conditionLabel: (number: number) => `Condition ${number}`,
  path: 'Field of the event',
  pathNotes: {
    signal: 'Such as value, value.temperature or device_name.',
    schedule: 'Such as due_at.',
    memory: 'Such as content_text, importance or tags.',
    message: 'Such as content, source or author_username.',
  },
  op: 'Comparison',
  ops: {
    eq: 'is',
    ne: 'is not',
    gt: 'is greater than',
    gte: 'is at least',
    lt: 'is less than',
    lte: 'is at most',
    contains: 'contains',
    in: 'is one of',
    exists: 'exists',
  },
  value: 'Value',
  valueNote: 'A number, or a text. Quote a number that is a text.',
  listNote: 'Separated by commas.',
  exists: { true: 'Yes', false: 'No' },
  action: 'Action',
  actions: {
    notify: 'Notify me',
    remember: 'Write a memory',
    webhook: 'Call a webhook',
  },
  channel: 'By',
  channels: { inbox: 'Inbox', chat: 'Chat', email: 'Email' },
  subject: 'Subject',
  subjectNote: 'Empty: the name of the reflex.',
  text: 'Text',
  templateNote: '{{value.temperature}} is replaced by that field of the event.',
  url: 'URL',
  urlNote: 'A public address on the port 80, 443, 8080 or 8443.',
  confirm: 'Ask me first',
  confirmNote: 'Each firing then waits under Confirmations.',
} as const

const operators: Labels = editor.ops
const operator = (op: string): string => operators[op] ?? op

/** A condition in words, such as “value.temperature is greater than 30”. */
export const describeCondition = (op: string, path: string, value: unknown): string => {
  if (op === 'exists') return value === false ? `${path} does not exist` : `${path} exists`
  return `${path} ${operator(op)} ${typeof value === 'string' ? `“${value}”` : JSON.stringify(value)}`
}
