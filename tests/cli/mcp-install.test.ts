import { expect, test } from 'bun:test'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { settingsPath } from '../../cli/commands/mcp/clients.ts'
import { type ClientName, mcpClients as clients } from '../../shared/mcp-clients.ts'
import { useSharedServer } from '../harness/server.ts'
import { clientInfo, root, textOf } from '../mcp/client.ts'
import { type Machine, machineWithKey, newMachine } from './svc.ts'

const server = useSharedServer()

const names = Object.keys(clients) as ClientName[]

const homeOf = (machine: Machine) => machine.env.HOME ?? ''

/** A machine with credentials at the default path. */
const plainMachine = () => {
  const machine = newMachine()
  delete machine.env.SVC_CONFIG_DIR
  return machine
}

const install = async (machine: Machine, ...args: string[]) => {
  const result = await machine.svc(['mcp', 'install', ...args, '--json'])
  return { ...result, report: result.code === 0 ? JSON.parse(result.stdout) : undefined }
}

/** Writes the settings of a client before svc changes them. */
const settingsWith = async (name: ClientName, text: string) => {
  const machine = plainMachine()
  const { report } = await install(machine, '--client', name, '--dry-run')
  mkdirSync(dirname(report.path), { recursive: true })
  writeFileSync(report.path, text)
  return { machine, path: report.path as string, read: () => readFileSync(report.path, 'utf8') }
}

interface Entry {
  command: string
  args: string[]
  env?: Record<string, string>
}

/** OpenCode has the command in one list, and another name for its variables. */
const normalized = (entry: object): Entry => {
  const { command, environment, ...others } = entry as {
    command: string | string[]
    environment?: Record<string, string>
  }
  if (!Array.isArray(command)) return entry as Entry
  const [program = '', ...args] = command
  return { ...others, command: program, args, ...(environment && { env: environment }) }
}

/** The text of a recall of an assistant that starts an entry of its settings. */
const recallWith = async (machine: Machine, entry: Entry) => {
  const mcp = new Client(clientInfo)
  const env = { PATH: machine.env.PATH ?? '', HOME: homeOf(machine), ...entry.env }
  await mcp.connect(new StdioClientTransport({ ...entry, env, cwd: '/', stderr: 'ignore' }))
  const result = await mcp.callTool({ name: 'recall', arguments: { query: 'tea' } })
  await mcp.close()
  return textOf(result)
}

/** One client for each format of settings. All have the same entry. */
const started: ClientName[] = ['cursor', 'codex']

test.each(names)('%s gets one entry for svc and starts it', async (name) => {
  const { user, machine } = await machineWithKey(server.current)
  const { report } = await install(machine, '--client', name)
  expect(report).toMatchObject({ changed: true, backup: null, scope: 'user' })
  const written = readFileSync(report.path, 'utf8')
  expect(written).not.toContain(user.key)

  const settings = (name === 'codex' ? Bun.TOML : JSON).parse(written) as Record<
    string,
    Record<string, Entry>
  >
  const found = settings[clients[name].table]?.svc
  const entry = found && normalized(found)
  if (!entry) throw new Error(`there is no entry in ${written}`)
  expect(entry).toMatchObject({
    command: join(root, 'svc'),
    args: ['mcp', 'run', '--url', server.current.url],
    env: { SVC_CONFIG_DIR: machine.configDir },
  })
  if (started.includes(name)) expect(await recallWith(machine, entry)).toContain('No memories')

  const again = await install(machine, '--client', name)
  expect(again.report).toMatchObject({ changed: false, backup: null })
  expect(again.stderr).toContain('already configured')
  expect(readFileSync(report.path, 'utf8')).toBe(written)
})

test('the entry starts the launcher of the README', async () => {
  const machine = newMachine()
  const { report } = await install(machine, '--client', 'cursor', '--dry-run')
  const env = { SVC_CONFIG_DIR: machine.configDir }
  expect(report.entry).toEqual({ command: join(root, 'svc'), args: ['mcp', 'run'], env })
})

test('the entry has the organization of --org', async () => {
  const machine = plainMachine()
  const { report } = await install(machine, '--client', 'cursor', '--dry-run', '--org', 'Herons')
  expect(report.entry.args.slice(-2)).toEqual(['--org', 'Herons'])
})

test.each(names)('--dry-run shows the changes for %s and writes nothing', async (name) => {
  const machine = plainMachine()
  const result = await machine.svc(['mcp', 'install', '--client', name, '--dry-run'])
  expect(result.code).toBe(0)
  expect(result.stdout).toMatch(/^\+ .*svc/m)
  expect(result.stderr).toContain('Dry run')
  // Bun creates a directory of its own there.
  expect(readdirSync(homeOf(machine)).filter((each) => each !== '.bun')).toEqual([])
})

const COMMENTED = `// mine
{
\t// the theme
\t"theme": "dark",
\t"TABLE": {
\t\t"other": { "command": "other", "args": [], }, // keep this
\t},
}
`

test.each(names.filter((name) => name !== 'codex'))(
  'comments, order, mode and other entries of %s are kept, and a backup is written',
  async (name) => {
    const before = COMMENTED.replace('TABLE', clients[name].table)
    const { machine, path, read } = await settingsWith(name, before)
    chmodSync(path, 0o640)
    const { report } = await install(machine, '--client', name)
    expect(readFileSync(report.backup, 'utf8')).toBe(before)
    const after = read()
    expect(after).toStartWith(before.replace(/\t\},\n\}\n$/, ''))
    expect(after).toEndWith('\n\t\t},\n\t},\n}\n')
    expect(after).toMatch(/^\t\t"svc": \{$/m)
    expect(statSync(path).mode & 0o777).toBe(0o640)
  },
)

test('comments, order and other tables of codex are kept', async () => {
  const before = `# mine
model = "x" # the model

[mcp_servers.other]
command = "other" # keep this

[profiles.fast]
effort = 1.0
`
  const { machine, path, read } = await settingsWith('codex', before)
  const { report } = await install(machine, '--client', 'codex', '--profile', 'work')
  expect(readFileSync(report.backup, 'utf8')).toBe(before)
  expect(read()).toStartWith(`${before}\n[mcp_servers.svc]\n`)
  writeFileSync(path, `${read()}# after\nenabled = true\n`)
  await install(machine, '--client', 'codex')
  expect(read()).toContain('enabled = true')
  expect(read()).toContain('# after')
  expect(read()).not.toContain('"work"')
  const { report: third } = await install(machine, '--client', 'codex')
  expect(third.changed).toBe(false)
})

test('an inline table of codex gets the entry', async () => {
  const { machine, read } = await settingsWith(
    'codex',
    'mcp_servers = { other = { command = "x" } } # c\n',
  )
  expect((await install(machine, '--client', 'codex')).code).toBe(0)
  const { mcp_servers } = Bun.TOML.parse(read()) as { mcp_servers: object }
  expect(Object.keys(mcp_servers)).toEqual(['other', 'svc'])
  expect(read()).toContain('# c')
})

test.each<[ClientName, string]>([
  ['cursor', '{ "mcpServers": '],
  ['cursor', '{ "mcpServers": [] }'],
  ['cursor', '{ "mcpServers": { "svc": "here" } }'],
  ['cursor', '[]'],
  ['zed', 'theme = dark'],
  ['codex', 'model = '],
  ['codex', 'mcp_servers = 1'],
])('%s with %j is refused and left as it is', async (name, text) => {
  const { machine, path, read } = await settingsWith(name, text)
  const result = await machine.svc(['mcp', 'install', '--client', name])
  expect(result).toMatchObject({ code: 1, stdout: '' })
  expect(result.stderr).toContain(`${path} was not changed`)
  // The manual instructions use the format of the file.
  expect(result.stderr).toContain(name === 'codex' ? '\n[mcp_servers.svc]\ncommand = ' : '{"svc":{')
  expect(read()).toBe(text)
  expect(readdirSync(dirname(path))).toHaveLength(1)
})

test('an empty file and one with a byte order mark are accepted', async () => {
  for (const text of ['', '\n', '\uFEFF{}\n']) {
    const { machine, read } = await settingsWith('vscode', text)
    expect((await install(machine, '--client', 'vscode')).code).toBe(0)
    expect(JSON.parse(read().replace('\uFEFF', '')).servers.svc.type).toBe('stdio')
  }
})

test('line endings and indentation are kept', async () => {
  const { machine, read } = await settingsWith('cursor', '{\r\n    "a": 1\r\n}\r\n')
  await install(machine, '--client', 'cursor')
  expect(read()).toMatch(/\r\n {4}"mcpServers": \{\r\n/)
  expect(read()).not.toMatch(/[^\r]\n/)
})

test('an existing entry is updated, and other fields are kept', async () => {
  const { machine, read } = await settingsWith(
    'cursor',
    '{ "mcpServers": { "svc": { "url": "http://old/api/mcp", "disabled": true } } }',
  )
  await install(machine, '--client', 'cursor')
  const { svc } = JSON.parse(read()).mcpServers
  expect(svc).toMatchObject({ disabled: true, args: expect.arrayContaining(['mcp', 'run']) })
  expect(svc.url).toBeUndefined()
  await install(machine, '--client', 'cursor', '--http', '--url', 'https://svc.example.com')
  expect(JSON.parse(read()).mcpServers.svc).toEqual({
    disabled: true,
    url: 'https://svc.example.com/api/mcp',
  })
})

test('environment variables of the entry are kept', async () => {
  const { machine, read } = await settingsWith(
    'cursor',
    '{ "mcpServers": { "svc": { "command": "old", "env": { "HTTPS_PROXY": "http://proxy" } } } }',
  )
  machine.env.SVC_CONFIG_DIR = machine.configDir
  await install(machine, '--client', 'cursor')
  expect(JSON.parse(read()).mcpServers.svc.env).toEqual({
    HTTPS_PROXY: 'http://proxy',
    SVC_CONFIG_DIR: machine.configDir,
  })
  expect((await install(machine, '--client', 'cursor')).report.changed).toBe(false)
})

test('the entry is in opencode.jsonc if there is no opencode.json', async () => {
  const { machine, path } = await settingsWith('opencode', '{}')
  const other = path.replace(/json$/, 'jsonc')
  renameSync(path, other)
  expect((await install(machine, '--client', 'opencode')).report.path).toBe(other)
  writeFileSync(path, '{}')
  expect((await install(machine, '--client', 'opencode')).report.path).toBe(path)
})

test('read-only settings are refused and left as they are', async () => {
  const { machine, path, read } = await settingsWith('cursor', '{}')
  chmodSync(path, 0o444)
  const result = await machine.svc(['mcp', 'install', '--client', 'cursor'])
  expect([result.code, result.stdout]).toEqual([1, ''])
  expect(result.stderr).toContain(`${path} is read-only`)
  expect(read()).toBe('{}')
})

test('changing the transport removes the fields of the other one', async () => {
  const { machine, read } = await settingsWith(
    'codex',
    '[mcp_servers.svc]\nurl = "http://old"\nbearer_token_env_var = "KEY"\nenabled = true # yes\n',
  )
  const entry = () => (Bun.TOML.parse(read()) as { mcp_servers: { svc: object } }).mcp_servers.svc
  await install(machine, '--client', 'codex')
  expect(Object.keys(entry()).sort()).toEqual(['args', 'command', 'enabled'])
  expect(read()).toContain('enabled = true # yes')
  await install(machine, '--client', 'codex', '--http')
  expect(entry()).toEqual({ enabled: true, url: 'http://localhost:3000/api/mcp' })
})

test('a symbolic link to the settings is kept', async () => {
  const { machine, path } = await settingsWith('cursor', '{}')
  const real = join(homeOf(machine), 'dotfiles.json')
  writeFileSync(real, '{}')
  Bun.spawnSync(['rm', path])
  symlinkSync(real, path)
  await install(machine, '--client', 'cursor')
  expect(lstatSync(path).isSymbolicLink()).toBe(true)
  expect(readFileSync(real, 'utf8')).toContain('svc')
})

test('project settings are in the project and contain no key', async () => {
  const { user, machine } = await machineWithKey(server.current)
  const folder = join(homeOf(machine), 'project')
  mkdirSync(folder)
  const files: Partial<Record<ClientName, string>> = {
    'claude-code': '.mcp.json',
    cursor: '.cursor/mcp.json',
    vscode: '.vscode/mcp.json',
    codex: '.codex/config.toml',
    opencode: 'opencode.json',
    'gemini-cli': '.gemini/settings.json',
    zed: '.zed/settings.json',
  }
  for (const [name, file] of Object.entries(files)) {
    machine.cwd = folder
    const args = ['mcp', 'install', '--client', name, '--scope', 'project']
    const { code, stderr } = await machine.svc(args, { env: { SVC_API_KEY: user.key } })
    expect(code).toBe(0)
    const text = readFileSync(join(realpathSync(folder), file), 'utf8')
    expect(text).not.toContain('svc_')
    expect(stderr).toContain('SVC_API_KEY was not written')
  }
  for (const name of names.filter((each) => !files[each])) {
    const result = await machine.svc(['mcp', 'install', '--client', name, '--scope', 'project'])
    expect(result).toMatchObject({ code: 2, stdout: '' })
    expect(result.stderr).toContain(`svc mcp install --client ${name}`)
  }
})

test('claude-desktop does not support --http and prints an alternative', async () => {
  const machine = plainMachine()
  const result = await machine.svc(['mcp', 'install', '--client', 'claude-desktop', '--http'])
  expect(result).toMatchObject({ code: 2, stdout: '' })
  expect(result.stderr).toContain('http://localhost:3000/api/mcp')
})

test('an unknown client is a usage error that lists the known ones', async () => {
  const result = await plainMachine().svc(['mcp', 'install', '--client', 'emacs'])
  expect(result).toMatchObject({ code: 2, stdout: '' })
  expect(result.stderr).toContain('claude-code')
})

const place = (name: ClientName, platform: NodeJS.Platform) =>
  settingsPath(clients[name], 'user', {
    home: '/home/ada',
    folder: '/project',
    platform,
    appData: platform === 'win32' ? '/appdata' : undefined,
    xdgConfigHome: undefined,
    codexHome: undefined,
    claudeConfigDir: undefined,
  })

test.each<[ClientName, string, string, string]>([
  ['claude-code', '/home/ada/.claude.json', '/home/ada/.claude.json', '/home/ada/.claude.json'],
  [
    'claude-desktop',
    '/home/ada/.config/Claude/claude_desktop_config.json',
    '/home/ada/Library/Application Support/Claude/claude_desktop_config.json',
    '/appdata/Claude/claude_desktop_config.json',
  ],
  [
    'cursor',
    '/home/ada/.cursor/mcp.json',
    '/home/ada/.cursor/mcp.json',
    '/home/ada/.cursor/mcp.json',
  ],
  [
    'vscode',
    '/home/ada/.config/Code/User/mcp.json',
    '/home/ada/Library/Application Support/Code/User/mcp.json',
    '/appdata/Code/User/mcp.json',
  ],
  ['codex', ...(Array(3).fill('/home/ada/.codex/config.toml') as [string, string, string])],
  [
    'opencode',
    ...(Array(3).fill('/home/ada/.config/opencode/opencode.json') as [string, string, string]),
  ],
  ['gemini-cli', ...(Array(3).fill('/home/ada/.gemini/settings.json') as [string, string, string])],
  [
    'windsurf',
    ...(Array(3).fill('/home/ada/.codeium/windsurf/mcp_config.json') as [string, string, string]),
  ],
  [
    'zed',
    '/home/ada/.config/zed/settings.json',
    '/home/ada/.config/zed/settings.json',
    '/appdata/Zed/settings.json',
  ],
])('%s keeps its settings where each system has them', (name, linux, darwin, win32) => {
  expect(place(name, 'linux')).toBe(linux)
  expect(place(name, 'darwin')).toBe(darwin)
  expect(place(name, 'win32')).toBe(win32)
})

/** The text of a recall through `svc mcp run`. */
const recallThrough = async (
  machine: Machine,
  options: string[] = [],
  env: Record<string, string> = {},
) => {
  const [command = '', ...args] = machine.command('mcp', 'run', ...options)
  const mcp = new Client(clientInfo)
  await mcp.connect(
    new StdioClientTransport({ command, args, env: { ...machine.env, ...env }, stderr: 'ignore' }),
  )
  const result = await mcp.callTool({ name: 'recall', arguments: { query: 'tea' } })
  await mcp.close()
  return textOf(result)
}

test('mcp run writes only protocol messages to stdout and ends with stdin', async () => {
  const machine = newMachine('http://127.0.0.1:1')
  const opening = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo },
  }
  const result = await machine.svc(['mcp', 'run'], {
    stdin: `${JSON.stringify(opening)}\nnot a message\n`,
  })
  expect(result.code).toBe(0)
  const lines = result.stdout.trim().split('\n')
  expect(lines.every((line) => JSON.parse(line).jsonrpc === '2.0')).toBe(true)
})

test.each([
  ['--url', ['--url', 'not a host'], {}],
  ['SVC_URL', [], { SVC_URL: 'not a host' }],
  ['url in CONFIG/config.json', [], {}],
])('mcp run names the source %s of an invalid URL', async (source, options, env) => {
  const machine = newMachine()
  mkdirSync(machine.configDir)
  const settings = { profiles: { default: { url: 'not a host' } } }
  writeFileSync(join(machine.configDir, 'config.json'), JSON.stringify(settings))
  const name = source.replace('CONFIG', machine.configDir)
  expect(await recallThrough(machine, options, env)).toStartWith(`${name} does not contain a URL`)
})

test('mcp run names the setting to change when no server answers', async () => {
  const machine = newMachine()
  const closed = 'http://127.0.0.1:1'
  const key = { SVC_API_KEY: 'svc_any' }
  expect(await recallThrough(machine, ['--url', closed], key)).toContain('or set --url to')
  expect(await recallThrough(machine, [], { ...key, SVC_URL: closed })).toContain(
    'or set SVC_URL to',
  )
})

test('mcp run uses the profile of svc config', async () => {
  const { user, machine } = await machineWithKey(server.current)
  await machine.svc(['login', '--with-token', '--profile', 'work'], { stdin: user.key })
  await machine.svc(['logout'])
  await machine.svc(['config', 'set', 'profile', 'work'])
  expect(await recallThrough(machine)).toContain('No memories found')
})
