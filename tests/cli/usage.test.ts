import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { Writable } from 'node:stream'
import { version } from '../../package.json'
import { newUser, useSharedServer } from '../harness/server.ts'
import { machineWithKey, newMachine } from './svc.ts'

const server = useSharedServer()

test('--version, -V and version print the version, and --help the commands', async () => {
  const machine = newMachine()
  for (const args of [['--version'], ['-V'], ['version'], ['-V', '--quiet']])
    expect(await machine.svc(args)).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
  expect(JSON.parse((await machine.svc(['version', '--json'])).stdout)).toEqual({ version })
  const help = await machine.svc(['--help'])
  expect(help).toMatchObject({ code: 0, stderr: '' })
  for (const name of [
    'login',
    'logout',
    'whoami',
    'keys',
    'remember',
    'recall',
    'export',
    'import',
  ])
    expect(help.stdout).toMatch(new RegExp(`^  ${name}\\b`, 'm'))
})

test.each([
  [['whoam'], 'Did you mean whoami?', 'svc --help'],
  [['whoami', '--jso'], 'Did you mean --json?', 'svc whoami --help'],
  [['keys', 'lst'], 'Did you mean one of list, ls?', 'svc keys --help'],
  [['keys', 'create'], "missing required argument 'name'", 'svc keys create --help'],
  [['recall'], "missing required argument 'question'", 'svc recall --help'],
  [['recall', 'x', '--limit', 'ten'], 'whole number', 'svc recall --help'],
  [['recall', 'x', '--type', 'song'], 'semantic, episodic', 'svc recall --help'],
  [['recall', 'x', '--type', 'semantc'], 'Did you mean semantic?', 'svc recall --help'],
  [['completion', 'bsh'], 'Did you mean bash?', 'svc completion --help'],
  [['memries', 'list'], 'Did you mean memories?', 'svc --help'],
  [['whoami', 'me'], 'too many arguments', 'svc whoami --help'],
  [['whoami', '--url', 'ftp://x'], 'URL', '--url http://localhost:3000'],
  [['whoami', '--url', 'http://ada:secret@x'], 'URL', '--url http://localhost:3000'],
  [['whoami', '--url', 'localhost:3000/path?query'], '(--url)', 'http:// or https://'],
  [['serve', '--port', '70000'], 'Must be at most 65535', 'svc serve --help'],
  [['serve', '--prt', '4000'], 'Did you mean --port?', 'svc serve --help'],
  [['serve', '--org', 'Analytics'], "unknown option '--org'", 'svc serve --help'],
  [['whoami', '--profile', '../x'], 'profile', '--profile work'],
  [['remember', '- buy milk'], 'Put -- before', 'svc remember --help'],
  [['mcp', 'install', '--client', 'claude'], 'Did you mean claude-code?', 'svc mcp install --help'],
  [['recall', 'x', '--limit', '0'], 'greater than 0', 'svc recall --help'],
  [['help', 'nosuch'], 'Unknown command: nosuch', 'svc help'],
  [['help', 'keys', 'crete'], 'Did you mean create?', 'svc help'],
])('svc %p exits with 2 and a hint', async (args, message, next) => {
  const result = await newMachine().svc(args)
  expect(result).toMatchObject({ code: 2, stdout: '' })
  expect(result.stderr).toContain(message)
  expect(result.stderr).toContain(next)
  expect(result.stderr.trim().split('\n')).toHaveLength(2)
})

test.each([
  [['admin', 'move', '--to', 'postgres://svc:pass/word@db/svc'], '--to must be embedded'],
  [
    ['admin', 'move', '--from', 'postgres//svc:pass/word@db/svc', '--to', 'embedded'],
    '--from must be embedded',
  ],
  [['admin', 'move', 'postgres://svc:pass/word@db/svc'], "'--to <target>' not specified"],
  [['serve', '--too=postgres://svc:pass/word@db/svc'], 'postgres://[hidden]@db/svc'],
  [['api', 'http://ada:pass/word@x/api/me'], 'http://[hidden]@x/api/me'],
])('svc %p prints an error without the password', async (args, message) => {
  const { code, stdout, stderr } = await newMachine().svc(args)
  expect([code > 0, stdout]).toEqual([true, ''])
  expect(stderr).toContain(message)
  expect(stderr).not.toContain('word@')
})

test('help prints the same as --help for every command', async () => {
  const machine = newMachine()
  for (const path of [[], ['keys'], ['keys', 'create'], ['memories', 'list']]) {
    const help = await machine.svc(['help', ...path])
    expect(help).toEqual(await machine.svc([...path, '--help']))
    expect(help).toMatchObject({ code: 0, stderr: '' })
  }
})

test.each([['--help'], ['config list'], ['config list --json'], ['export'], ['talk tea']])(
  'svc %s that cannot write its output prints an error and exits with 1',
  async (words) => {
    const { machine } = await machineWithKey(server.current)
    await machine.svc(['remember', 'Ada prefers tea.'])
    const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
    const stdout = new Writable({ write: (_chunk, _encoding, done) => done(full) })
    const { code, stderr } = await machine.start(words.split(' '), { stdout }).ended
    expect(stderr).toMatch(/^error: Cannot write the output.*\nFree disk space.*\n$/)
    expect(code).toBe(1)
  },
)

test.skipIf(!existsSync('/dev/full'))('a full disk prints an error and exits with 1', async () => {
  const { machine } = await machineWithKey(server.current)
  await machine.svc(['remember', 'Ada prefers tea.'])
  // A command that prints a text, and one that writes parts of a large output.
  for (const args of [['config', 'list'], ['export']]) {
    const child = Bun.spawn(machine.command(...args), {
      env: machine.env,
      stdin: 'ignore',
      stdout: Bun.file('/dev/full'),
      stderr: 'pipe',
    })
    expect(await child.stderr.text()).toMatch(
      /^error: Cannot write the output.*\nFree disk space.*\n$/,
    )
    expect(await child.exited).toBe(1)
  }
})

test.each([['svc'], ['keys']])(
  '%s without a command shows the commands and ends with 2',
  async (name) => {
    const result = await newMachine().svc(name === 'svc' ? [] : [name])
    expect(result).toMatchObject({ code: 2, stdout: '' })
    expect(result.stderr).toMatch(/^(?:Memory|Commands):$/m)
  },
)

test('an argument that is not UTF-8 is refused before the command runs', async () => {
  const { machine } = await machineWithKey(server.current)
  for (const bytes of ['caf\\351', '\\377\\376', 'a\\200b', '\\303', '\\355\\240\\200'])
    for (const words of [
      ['remember', bytes],
      ['remember', 'tea', '--tag', bytes],
      ['recall', bytes],
    ]) {
      const line = words.map((word) => `"$(printf -- '${word}')"`).join(' ')
      const child = Bun.spawn(
        [
          '/bin/sh',
          '-c',
          `${machine
            .command()
            .map((word) => `'${word}'`)
            .join(' ')} ${line}`,
        ],
        { env: machine.env, stdout: 'pipe', stderr: 'pipe' },
      )
      const stderr = await new Response(child.stderr).text()
      expect([bytes, await child.exited, stderr.split('\n')[0]]).toEqual([
        ...[bytes, 2, `error: Argument ${words.length} is not UTF-8 text.`],
      ])
    }
  expect((await machine.svc(['list'])).stdout).toBe('')
})

test('an empty text and input that is not UTF-8 are usage errors', async () => {
  const { machine } = await machineWithKey(server.current)
  for (const stdin of ['', ' \n', new Uint8Array([0xff, 0xfe, 0x00])])
    expect(await machine.svc(['remember'], { stdin })).toMatchObject({ code: 2, stdout: '' })
})

test.each([
  [['recall', 'x', '--since', 'last week'], '--since: '],
  [['recall', 'x', '--limit', '1000'], '--limit: '],
  [['remember', 'x', '--occurred-at', 'soon'], '--occurred-at: '],
  [['remember', 'x', '--importance', '2'], '--importance: '],
  [['remember', 'x', '--tag', 'y'.repeat(1000)], '--tag: '],
  [['remember', 'x'.repeat(40_000)], 'text: '],
  [['recall', 'x'.repeat(40_000)], 'question: '],
  [['talk', 'x', '--agent', 'y'.repeat(1000)], '--agent: '],
])('an error of the server names the option or argument: %p', async (args, named) => {
  const { machine } = await machineWithKey(server.current)
  const result = await machine.svc(args)
  expect([result.code, result.stdout]).toEqual([2, ''])
  expect(result.stderr).toStartWith(`error: ${named}`)
  expect(result.stderr).not.toMatch(/_|422/)
})

test.each([
  [['whoami']],
  [['keys', 'list']],
  [['keys', 'create', 'x']],
  [['remember', 'x']],
  [['recall', 'x']],
  [['export']],
  [['import', 'x']],
])('svc %p without a sign-in ends with 4 and names svc login', async (args) => {
  const result = await newMachine(server.current.url).svc(args)
  expect(result).toMatchObject({ code: 4, stdout: '' })
  expect(result.stderr).toBe(
    `error: Not signed in to ${server.current.url}.\nRun: svc login --url ${server.current.url}. Or set SVC_API_KEY to an API key.\n`,
  )
})

test('a revoked key exits with 4 and names its source', async () => {
  const { key } = await newUser(server.current)
  const result = await newMachine(server.current.url).svc(['whoami'], {
    env: { SVC_API_KEY: `${key}x` },
  })
  expect(result).toMatchObject({ code: 4, stdout: '' })
  expect(result.stderr).toContain('environment SVC_API_KEY: Invalid API key')
})

test('an unreachable server is named, with a stack trace only under --debug', async () => {
  const machine = newMachine('http://127.0.0.1:1')
  for (const args of [['login'], ['whoami'], ['remember', 'x'], ['recall', 'x']]) {
    const result = await machine.svc(args, { env: { SVC_API_KEY: 'svc_x' } })
    expect(result).toMatchObject({ code: 1, stdout: '' })
    expect(result.stderr).toMatch(
      /^error: No answer from http:\/\/127\.0\.0\.1:1 \(\w+\)\.\nTo start the server, run: svc serve\. .* run: svc doctor\n$/,
    )
  }
  const debug = await machine.svc(['login', '--debug'])
  expect(debug.stderr).toContain('    at ')
})

test('another service at the URL is reported as not svc', async () => {
  using other = Bun.serve({ port: 0, fetch: () => new Response('<h1>Hello</h1>') })
  const result = await newMachine(other.url.origin).svc(['whoami'], {
    env: { SVC_API_KEY: 'svc_x' },
  })
  expect(result).toMatchObject({ code: 1, stdout: '' })
  expect(result.stderr).toContain(`The service at ${other.url.origin} is not svc`)
})

test('a word after --json that may be a field or a part of the text is refused', async () => {
  const machine = newMachine('http://127.0.0.1:1')
  for (const args of [
    ['remember', 'The heron nests.', '--json', 'memory_id'],
    ['recall', 'heron', '--json', 'content_text'],
  ]) {
    const result = await machine.svc(args)
    expect(result.code).toBe(2)
    expect(result.stderr).toContain(`write --json=${args.at(-1)}`)
  }
})

test('--json prints one JSON value at any position', async () => {
  const { user, machine } = await machineWithKey(server.current)
  for (const args of [
    ['--json', 'whoami'],
    ['whoami', '--json'],
  ]) {
    const result = await machine.svc(args)
    expect(JSON.parse(result.stdout)).toMatchObject({
      email: user.email,
      url: server.current.url,
      credential: 'api_key',
      credential_from: { kind: 'profile', name: 'default' },
      tier: 'amnesiac',
    })
  }
  const again = await machine.svc(['login', '--with-token', '--json'], { stdin: user.key })
  expect(JSON.parse(again.stdout).email).toBe(user.email)
})
