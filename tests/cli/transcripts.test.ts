import { expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import type { Command } from 'commander'
import { createProgram } from '../../cli/parse/program.ts'
import { useConversation } from '../conversation/support.ts'
import { says } from '../harness/model-server.ts'
import { accountSteps, adminSteps, automationSteps, peopleSteps } from './management-steps.ts'
import { answer, newMachine } from './svc.ts'
import {
  atTerminal,
  ID,
  piped,
  type Run,
  recordTranscript,
  type Step,
  withJson,
} from './transcript.ts'

const CAPTURE = {
  client: 'codex',
  channel: 'hook',
  session: '0199a3f2-7c1e-7b52-9d0e-4a8f6f1c2b3d',
  project: 'acme/shop',
  messages: [
    { turn: '1', ordinal: 1, role: 'user', content: 'Deploy to Hetzner, never to AWS.' },
    { turn: '1', ordinal: 1, role: 'assistant', content: 'Noted.' },
  ],
}

// A model with a fixed answer makes the transcripts reproducible.
const chats = useConversation()

const steps: Step[] = [
  { typed: ['login', '--no-browser'], approves: true },
  { typed: ['--version'] },
  { typed: ['-V'] },
  { typed: ['version'] },
  { typed: [], narrow: true },
  { typed: ['whoam'] },
  { typed: ['help', 'keys', 'create'], narrow: true },
  { typed: ['config', 'set', 'depth', 'quick'] },
  { typed: ['config', 'get', 'depth'] },
  { typed: ['config', 'unset', 'depth'] },
  { typed: ['config', 'list'], narrow: true },
  { typed: ['config', 'path'] },
  { typed: ['profiles'], narrow: true },
  { typed: ['whoami'] },
  { typed: ['whoami', '--json', 'email,nme'] },
  { typed: ['auth', 'token'] },
  { typed: ['status'] },
  { typed: ['verify', '--resend'] },
  { typed: ['keys', 'create', 'ci'], keeps: ['KEY', ID] },
  { typed: ['keys', 'create', 'helper', '--for-agent', '--scopes', 'memory:read'] },
  { typed: ['keys', 'edit', 'KEY', '--scopes', 'memory:read', '--pause'] },
  { typed: ['keys', 'edit', 'KEY', '--scopes', 'all', '--resume'] },
  { typed: ['keys', 'list'], narrow: true },
  { typed: ['keys', 'revoke', 'KEY'], does: [[/\[y\/N\] /, 'n\r']] },
  { typed: ['keys', 'revoke', 'KEY', '--yes'] },
  { typed: ['keys', 'revoke', 'KEY', '--yes'] },
  {
    typed: ['remember', '--author', 'Ada', 'The spare key is in the shed.'],
    keeps: ['MEMORY', ID],
  },
  { typed: ['remember', '--author', 'Ada', 'The spare key is in the shed.'] },
  { typed: ['recall', 'Where is the spare key?'] },
  { typed: ['recall', 'zeppelin'] },
  { typed: ['recall', 'key', '--since', 'last week'] },
  { typed: ['memories', 'list'], narrow: true },
  { typed: ['list', '--json', 'content_text'] },
  { typed: ['api', '/api/memories', '--jq', '.memories[].content_text'] },
  { typed: ['api', '/api/nowhere'] },
  { typed: ['memories', 'show', 'MEMORY'] },
  { typed: ['show', 'MEMORY'] },
  { typed: ['edit', 'MEMORY', '--tag', 'key'] },
  { typed: ['memories', 'edit', 'MEMORY', '--content', 'The spare key is in the house.'] },
  { typed: ['memories', 'history', 'MEMORY'], narrow: true },
  { typed: ['memories', 'delete', 'MEMORY'], does: [[/\[y\/N\] /, 'y\r']] },
  { typed: ['memories', 'restore', 'MEMORY'] },
  { typed: ['delete', 'MEMORY', '--yes'] },
  { typed: ['memory', 'restore', 'MEMORY'] },
  { typed: ['captures', 'list'] },
  { typed: ['api', 'POST', '/api/captures', '--input', 'capture.json', '--jq', '.count'] },
  { typed: ['captures', 'list'], narrow: true },
  { typed: ['captures', 'delete', 'codex', '0199a3f2'], does: [[/\[y\/N\] /, 'y\r']] },
  { typed: ['captures', 'delete', 'codex', '0199a3f2', '--yes'] },
  { typed: ['captures', 'restore', 'codex', '0199a3f2'] },
  { typed: ['projects', 'list'], narrow: true },
  { typed: ['projects', 'merge', 'acme/shop', 'acme/store', '--yes'] },
  { typed: ['projects', 'delete', 'acme/store'], does: [[/\[y\/N\] /, 'y\r']] },
  { typed: ['projects', 'restore', 'acme/store'] },
  { typed: ['export', 'out.ndjson'] },
  { typed: ['import', 'out.ndjson'] },
  { typed: ['import', 'broken.ndjson'] },
  { typed: ['import', 'notes.md'] },
  { typed: ['sync', 'Notes', '--dry-run'] },
  { typed: ['sync', 'Notes'] },
  { typed: ['sync', 'Notes'] },
  { typed: ['sync', 'Notes', '--undo'] },
  { typed: ['sync', 'notes.md'] },
  { typed: ['sync', 'Notes', '--dry-run', '--watch'] },
  { typed: ['chat', '--provider', 'openai', 'Hello.'], keeps: ['SESSION', ID] },
  { typed: ['chat', '--provider', 'openai', '--depth', 'sage', 'Hello.'] },
  { typed: ['chat', '--provider', 'openai', '--session', 'last', '--quiet', 'Hello again.'] },
  { typed: ['chat', '--provider', 'opnai', 'Hello.'] },
  { typed: ['chat', '--session', 'nosuch', 'Hello.'] },
  { typed: ['talk', '--agent', 'reviewer', 'The build is green.'] },
  { typed: ['agents', 'list'], narrow: true },
  { typed: ['agents', 'show', 'reviewer'] },
  { typed: ['agents', 'edit', 'reviewer'] },
  { typed: ['agents', 'edit', 'reviewer', '--mandate', 'Review the builds.'] },
  { typed: ['agents', 'edit', 'reviewer', '--accept'] },
  { typed: ['agents', 'delete', 'reviewer'], does: [[/\[y\/N\] /, 'y\r']] },
  { typed: ['files', 'upload', 'notes.md'], keeps: ['FILE', ID] },
  { typed: ['files', 'list'], narrow: true },
  { typed: ['files', 'download', 'FILE'] },
  { typed: ['files', 'download', 'FILE', 'copy.md'] },
  { typed: ['files', 'delete', 'FILE', '--yes'] },
  { typed: ['categories', 'create', 'Travel', '--icon', 'plane'], keeps: ['CATEGORY', ID] },
  { typed: ['categories', 'edit', 'Travel', '--name', 'Trips'] },
  { typed: ['categories', 'edit', 'CATEGORY'] },
  { typed: ['categories', 'list'] },
  { typed: ['categories', 'delete', 'trips'], does: [[/\[y\/N\] /, 'n\r']] },
  { typed: ['categories', 'delete', 'trips', '--yes'] },
  { typed: ['activity', '--kind', 'conversation.captured'] },
  { typed: ['activity', '--kind', 'import.'] },
  { typed: ['sessions', 'list'], narrow: true },
  { typed: ['sessions', 'show', 'SESSION'] },
  { typed: ['mcp', 'install'], does: [[/\[1\] /, '\r']] },
  { typed: ['mcp', 'install', '--client', 'cursor', '--dry-run'] },
  { typed: ['mcp', 'install', '--client', 'cursor'] },
  { typed: ['mcp', 'install', '--client', 'cursor'] },
  { typed: ['connect', 'cursor', '--dry-run'] },
  { typed: ['connect', 'cursor'], does: [[/\[y\/N\] /, 'y\r']] },
  { typed: ['connect', 'cursor', '--yes'] },
  { typed: ['disconnect', 'cursor', '--only', 'hooks', '--yes'] },
  { typed: ['mcp', 'run'], does: [[/^/, '\x04']] },
  { typed: ['hook', '--help'], narrow: true },
  { typed: ['spool'] },
  { typed: ['pause'] },
  { typed: ['resume'] },
  { typed: ['doctor'] },
  { typed: ['completion', 'fish'] },
  { typed: ['audit', '--action', 'key.'], narrow: true },
  { typed: ['help', 'options'] },
  { typed: ['logout'] },
  { typed: ['recall', 'tea'] },
  // The commands on the server of this machine run in tests/system, tests/start and models.test.ts.
  ...[
    'serve',
    'admin backup',
    'admin restore',
    'admin move',
    'admin upgrade',
    'admin accept-secret',
    'admin rotate-secret',
    'admin check',
    'admin distribute',
    'models install',
    'models list',
    'models remove',
  ].map((name) => ({ typed: [...name.split(' '), '--help'], narrow: true })),
]

/** Runs all steps on a new machine and returns their output. */
const transcript = async (run: Run): Promise<string> => {
  const machine = newMachine(chats.server.url)
  const home = machine.env.HOME ?? ''
  writeFileSync(`${home}/broken.ndjson`, '{"content":"One."}\nnonsense\n')
  writeFileSync(`${home}/notes.md`, '# Notes\n\nThe spare key is in the shed.\n')
  writeFileSync(`${home}/capture.json`, JSON.stringify(CAPTURE))
  mkdirSync(`${home}/.cursor`)
  writeFileSync(`${home}/.cursor/mcp.json`, '{\n  // mine\n  "mcpServers": {}\n}\n')
  machine.cwd = home
  chats.model.always(says(['The spare ', 'key is in the shed.']))
  const user = await chats.newUser()
  return recordTranscript(steps, {
    machine,
    run,
    approve: (userCode) => answer(chats.server, user, userCode, true),
    replaced: [
      [chats.server.url, 'http://SERVER'],
      [chats.server.baseUrl, 'http://SERVER'],
      [user.email, 'ada@example.com'],
    ],
  })
}

test.each([
  ['through pipes', piped],
  ['with --json', withJson],
  ['at a terminal', atTerminal],
] as const)('the output of every command %s matches the transcript', async (_, run) => {
  expect(await transcript(run)).toMatchSnapshot()
})

/** The commands without subcommands. */
const leaves = (command: Command, path: string[] = []): string[] =>
  command.commands.flatMap((child) => {
    const here = [...path, child.name()]
    return child.commands.length ? leaves(child, here) : [here.join(' ')]
  })

test('every command has a transcript', () => {
  const nothing = async () => {}
  const program = createProgram({ print: nothing, message: nothing }, nothing, nothing)
  const all = [...steps, ...peopleSteps, ...automationSteps, ...accountSteps, ...adminSteps]
  const walked = all.map(({ typed: words }) => words.join(' '))
  const missing = leaves(program)
    .filter((name) => name !== '__complete')
    .filter((name) => !walked.some((line) => line === name || line.startsWith(`${name} `)))
  expect(missing).toEqual([])
})
