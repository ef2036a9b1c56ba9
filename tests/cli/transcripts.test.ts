import { expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import type { Command } from 'commander'
import { createProgram } from '../../cli/parse/program.ts'
import { useConversation } from '../conversation/support.ts'
import { says } from '../harness/model-server.ts'
import { accountSteps, adminSteps, automationSteps, peopleSteps } from './management-steps.ts'
import { answer, type Machine, newMachine, readUntil } from './svc.ts'
import { createTranscript, ID, piped, type Step, typedAt } from './transcript.ts'

// A model with a fixed answer makes the transcripts reproducible.
const chats = useConversation()

const steps: Step[] = [
  { typed: ['--version'] },
  { typed: [] },
  { typed: ['whoam'] },
  { typed: ['help', 'keys', 'create'] },
  { typed: ['config', 'set', 'depth', 'quick'] },
  { typed: ['config', 'get', 'depth'] },
  { typed: ['config', 'unset', 'depth'] },
  { typed: ['config', 'list'] },
  { typed: ['config', 'path'] },
  { typed: ['profiles'] },
  { typed: ['whoami'] },
  { typed: ['verify', '--resend'] },
  { typed: ['keys', 'create', 'ci'], keeps: ['KEY', new RegExp(`ID ${ID.source}`)] },
  { typed: ['keys', 'list'] },
  { typed: ['keys', 'revoke', 'KEY', '--yes'] },
  { typed: ['keys', 'revoke', 'KEY', '--yes'] },
  {
    typed: ['remember', '--author', 'Ada', 'The spare key is in the shed.'],
    keeps: ['MEMORY', ID],
  },
  { typed: ['remember', '--author', 'Ada', 'The spare key is in the shed.'] },
  { typed: ['recall', 'Where is the spare key?'] },
  { typed: ['recall', 'zeppelin'] },
  { typed: ['memories', 'list'] },
  { typed: ['memories', 'show', 'MEMORY'] },
  { typed: ['memories', 'edit', 'MEMORY', '--content', 'The spare key is in the house.'] },
  { typed: ['memories', 'history', 'MEMORY'] },
  { typed: ['memories', 'delete', 'MEMORY'], does: [[/\[y\/N\] /, 'y\r']] },
  { typed: ['memories', 'restore', 'MEMORY'] },
  { typed: ['export', 'out.ndjson'] },
  { typed: ['import', 'out.ndjson'] },
  { typed: ['import', 'broken.ndjson'] },
  { typed: ['chat', '--provider', 'openai', 'Hello.'], keeps: ['SESSION', ID] },
  { typed: ['chat', '--provider', 'openai', '--depth', 'sage', 'Hello.'] },
  { typed: ['chat', '--provider', 'openai', '--session', 'last', '--quiet', 'Hello again.'] },
  { typed: ['talk', '--agent', 'reviewer', 'The build is green.'] },
  { typed: ['sessions', 'list'] },
  { typed: ['sessions', 'show', 'SESSION'] },
  { typed: ['mcp', 'install', '--client', 'cursor', '--dry-run'] },
  { typed: ['mcp', 'install', '--client', 'cursor'] },
  { typed: ['mcp', 'install', '--client', 'cursor'] },
  { typed: ['mcp', 'run'], does: [[/^/, '\x04']] },
  { typed: ['doctor'] },
  { typed: ['completion', 'fish'] },
  { typed: ['logout'] },
  { typed: ['recall', 'tea'] },
]

/** Signs in with approval in another browser. */
const signIn = async (machine: Machine) => {
  const user = await chats.newUser()
  const child = Bun.spawn(machine.command('login'), {
    env: machine.env,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [seen, rest] = child.stderr.tee()
  const [, code = ''] = await readUntil(seen.getReader(), /Code {3}(\S+)\n/)
  await answer(chats.server, user, code, true)
  const shown = `-- stderr\n${await rest.text()}`
  return { user, finished: { out: shown, shown, code: await child.exited } }
}

/** Runs all steps in order and returns their output. */
const transcript = async (run: typeof piped): Promise<string> => {
  const machine = newMachine(chats.server.url)
  const home = machine.env.HOME ?? ''
  writeFileSync(`${home}/broken.ndjson`, '{"content":"One."}\nnonsense\n')
  mkdirSync(`${home}/.cursor`)
  writeFileSync(`${home}/.cursor/mcp.json`, '{\n  // mine\n  "mcpServers": {}\n}\n')
  machine.cwd = home
  chats.model.always(says(['The spare ', 'key is in the shed.']))
  const { user, finished } = await signIn(machine)
  const { note, walk, text } = createTranscript({
    machine,
    run,
    replaced: [
      [chats.server.url, 'http://SERVER'],
      [chats.server.baseUrl, 'http://SERVER'],
      [user.email, 'ada@example.com'],
    ],
  })
  note(['login'], finished)
  await walk(steps)
  return text()
}

test('the output of every command through pipes matches the transcript', async () => {
  expect(await transcript(piped)).toMatchSnapshot()
})

test('the output of every command at a terminal matches the transcript', async () => {
  expect(await transcript(typedAt(100))).toMatchSnapshot()
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
  const walked = ['login', ...all.map(({ typed: words }) => words.join(' '))]
  const missing = leaves(program)
    .filter((name) => name !== '__complete')
    .filter((name) => !walked.some((line) => line === name || line.startsWith(`${name} `)))
  expect(missing).toEqual([])
})
