import { memoriesOf } from './counts.ts'
import { count, number } from './tools/numbers.ts'

export const importing = {
  title: 'Import memories',
  intro:
    'Bring the memories of svc or of another assistant. A memory is never stored twice, so a file can be imported again.',
  drop: 'Drop a file here',
  dropNote: 'JSON, NDJSON or text, also compressed with gzip, of any size.',
  choose: 'Choose a file',
  format: 'Format',
  formats: {
    auto: 'Detect the format',
    svc: 'svc export',
    mcp: 'MCP memory server (memory.jsonl)',
    mem0: 'mem0',
    chatgpt: 'ChatGPT (conversations.json)',
    claude: 'Claude (conversations.json, memories.json)',
  },
  help: 'Formats that can be imported',
  helps: [
    ['svc', 'A file from “Export all”, here or on another server.'],
    ['ChatGPT', 'conversations.json from the data export. Unpack the ZIP archive first.'],
    [
      'Claude',
      'conversations.json or memories.json from the data export. Unpack the ZIP archive first.',
    ],
    ['mem0', 'The list of memories that its API returns.'],
    ['MCP memory server', 'Its file memory.jsonl.'],
  ],
  files: 'Imports',
  uploading: (percent: number) => `Uploading, ${percent}%`,
  processing: 'Uploaded. Storing the rest…',
  waiting: 'Waiting',
  progress: (name: string) => `Progress of ${name}`,
  cancel: 'Cancel',
  cancelled: 'Cancelled. The memories that were stored until then stay.',
  again: 'Try again',
  done: (imported: number, known: number) =>
    `${count(imported, { one: 'new memory', other: 'new memories' })}, ${number(known)} already stored`,
  lowered: (amount: number, reason: string) =>
    `${count(amount, { one: 'memory is', other: 'memories are' })} trusted less than in the file: ${reason}`,
  losses: {
    unsigned: 'the lines have no signature.',
    changed: 'the lines were changed after the export.',
    unknown_server: 'they come from a server that this one does not know.',
    other_account: 'they come from another account or organization.',
    credential: 'this sign-in is not trusted like a person.',
  },
  failed: (amount: number) =>
    count(amount, { one: 'line could not be imported', other: 'lines could not be imported' }),
  failedFirst: (shown: number) => `The first ${number(shown)} are listed.`,
  line: 'Line',
  reason: 'Reason',
  show: 'Show the memories',
  remove: (name: string) => `Remove ${name} from this list`,
} as const

export const exporting = {
  fileName: (day: string) => `svc-memories-${day}.ndjson`,
  fileType: 'Memories, one per line (NDJSON)',
  running: (amount: number) => `Exporting, ${number(amount)}…`,
  done: (amount: number) => `Exported ${memoriesOf(amount)}`,
} as const
