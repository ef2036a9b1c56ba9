import { memoriesOf } from './counts.ts'
import { number } from './tools/numbers.ts'

export const projects = {
  title: 'Projects',
  intro:
    'The projects that your memories are about. An assistant is given those of the project that it works in, those of no project, and others only where you name their project.',
  list: 'Projects',
  conversations: (amount: number) =>
    amount === 1 ? '1 conversation' : `${number(amount)} conversations`,
  merged: (names: string) => `Also known as ${names}`,
  merge: 'Merge',
  mergeNamed: (name: string) => `Merge ${name} into another project`,
  mergeTitle: (name: string) => `Merge ${name}`,
  mergeNote:
    'All its memories move there, and so does what assistants store under the old name. This cannot be undone.',
  into: 'Name of the other project',
  mergedInto: (name: string) => `Merged into ${name}`,
  deleteNamed: (name: string) => `Delete ${name}`,
  deleted: (amount: number) => `Deleted ${memoriesOf(amount)} of the project`,
  restored: (amount: number) => `Restored ${memoriesOf(amount)} of the project`,
  empty: 'No projects yet',
  emptyNote:
    'Assistants name the project that they work in when they remember a conversation. You can name one yourself:',
  command: 'svc remember "We use pnpm." --project acme/shop',
  copyCommand: 'Copy the command',
} as const
