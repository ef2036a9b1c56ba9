import { expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import type { Command } from 'commander'
import { createProgram } from '../../cli/parse/program.ts'
import { useConversation } from '../conversation/support.ts'
import { says } from '../harness/model-server.ts'
import { answer, inTerminal, type Machine, newMachine, readUntil } from './svc.ts'

// A model with a fixed answer makes the transcripts reproducible.
const chats = useConversation()

interface Step {
  /** The arguments of `svc`. MEMORY, SESSION and KEY are replaced by ids of earlier steps. */
  typed: string[]
  stdin?: string
  /** Input at a terminal, sent when the pattern is shown. */
  does?: [sees: RegExp, types: string][]
  /** Stores an id of the output. */
  keeps?: [name: string, pattern: RegExp]
}

const ID = /([0-9a-f]{8}-[0-9a-f-]{27})/

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

/** Replaces values that differ between runs. */
const masked = (text: string, machine: Machine, email: string): string =>
  [
    [machine.env.HOME ?? '', '~'],
    [chats.server.url, 'http://SERVER'],
    [chats.server.baseUrl, 'http://SERVER'],
    [email, 'ada@example.com'],
    [process.execPath, 'bun'],
    [/\/\S*\/cli\/main\.ts/g, 'cli/main.ts'],
    [/\bsvc_\w{20,}/g, 'svc_KEY'],
    [/\bsvc_\w{4}\b/g, 'PREFIX  '],
    [
      /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g,
      '00000000-0000-0000-0000-000000000000',
    ],
    [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '2026-01-31T09:30:00.000Z'],
    [/\d{4}-\d\d-\d\dT\d\d:\d\dZ/g, '2026-01-31T09:30Z'],
    [/\d{4}-\d\d-\d\d(?!T)/g, '2026-01-31'],
    [/\d{8}T\d{6}Z/g, '20260131T093000Z'],
    [/\d+ ms/g, '1 ms'],
    [/score [\d.]+/g, 'score 1.5'],
    [/(?<=Code {3}|user_code=)[A-Z0-9-]+/g, 'USER-CODE'],
    [/svc on \S+/g, 'svc on machine'],
    [/(?:ok {4}part .*\n)+/g, 'ok    part         …\n'],
  ].reduce<string>((shown, [what, by]) => shown.replaceAll(what as string, by as string), text)

/** Makes escape sequences visible and removes transient status lines. */
const visible = (text: string): string =>
  text
    .replace(/\r\x1b\[K[^\r\n]*(?=\r\x1b\[K)/g, '')
    .replaceAll('\r\x1b[K', '')
    .replace(/\x1b\[\d*[GJ]/g, '')
    .replaceAll('\r\n', '\n')
    .replaceAll('\r', '')
    .replaceAll('\x1b', '␛')

interface Ended {
  out: string
  shown: string
  code: number
}

const piped = async (machine: Machine, { stdin = '' }: Step, args: string[]): Promise<Ended> => {
  const { stdout, stderr, code } = await machine.svc(args, { stdin })
  return { out: stdout + stderr, shown: `${stdout}-- stderr\n${stderr}`, code }
}

const typed = async (machine: Machine, { does = [] }: Step, args: string[]): Promise<Ended> => {
  const terminal = inTerminal(machine, args, {}, 100)
  for (const [pattern, keys] of does) {
    await terminal.sees(pattern)
    terminal.type(keys)
  }
  const code = await terminal.child.exited
  return { out: terminal.seen(), shown: visible(terminal.seen()), code }
}

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
  const { user, finished: result } = await signIn(machine)
  const kept: Record<string, string> = {}
  const parts: string[] = []
  const note = (words: string[], { shown, code }: Ended) =>
    parts.push(`$ svc ${words.join(' ')}\n${masked(shown, machine, user.email)}-- exit ${code}\n`)
  note(['login'], result)
  for (const step of steps) {
    const output = await run(
      machine,
      step,
      step.typed.map((word) => kept[word] ?? word),
    )
    note(step.typed, output)
    if (step.keeps) kept[step.keeps[0]] = step.keeps[1].exec(output.out)?.[1] ?? ''
  }
  return parts.join('\n')
}

test('the output of every command through pipes matches the transcript', async () => {
  expect(await transcript(piped)).toMatchSnapshot()
})

test('the output of every command at a terminal matches the transcript', async () => {
  expect(await transcript(typed)).toMatchSnapshot()
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
  const walked = ['login', ...steps.map(({ typed: words }) => words.join(' '))]
  const missing = leaves(program)
    .filter((name) => name !== '__complete')
    .filter((name) => !walked.some((line) => line === name || line.startsWith(`${name} `)))
  expect(missing).toEqual([])
})
