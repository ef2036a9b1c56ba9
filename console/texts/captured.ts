import { memoriesOf } from './counts.ts'
import { number } from './tools/numbers.ts'

export const captured = {
  title: 'Captured conversations',
  intro:
    'Conversations with your assistants that were remembered without a tool call. A deleted one can be restored for 30 days.',
  list: 'Captured conversations',
  assistant: 'Assistant',
  anyAssistant: 'Any assistant',
  noProject: 'No project',
  isDeleted: 'Deleted',
  partlyDeleted: (amount: number) => `${number(amount)} deleted`,
  deleteNamed: (name: string) => `Delete ${name}`,
  restore: 'Restore',
  restoreNamed: (name: string) => `Restore ${name}`,
  named: (assistant: string, project: string | null, time: string) =>
    `the conversation with ${assistant}${project ? ` in ${project}` : ''}, ${time}`,
  deleted: (amount: number) => `Deleted ${memoriesOf(amount)} of the conversation`,
  restored: (amount: number) => `Restored ${memoriesOf(amount)} of the conversation`,
  empty: 'Nothing captured yet',
  emptyNote:
    'Connect an assistant with its hooks, and your conversations with it are remembered. Run this where the assistant runs:',
  command: (client: string) => `svc connect ${client}`,
  copyCommand: 'Copy the command',
  connect: 'Other ways to connect',
  none: (assistant: string) => `Nothing captured from ${assistant}`,
  noneNote: 'If you use it, connect it with its hooks. Run this where it runs:',
  noneOther: 'It captured nothing, or its conversations were deleted permanently.',
  all: 'Show all assistants',
} as const
