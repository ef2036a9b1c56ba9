import { expect, test } from 'bun:test'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { type AssistantName, assistantNames } from '../../cli/assistants/clients.ts'
import { hookEvents, hookSettings } from '../../cli/assistants/hook-settings.ts'
import { parse as parseJsonc } from '../../cli/commands/mcp/jsonc.ts'
import { mcpClients } from '../../shared/mcp-clients.ts'
import { root } from '../mcp/client.ts'
import { foreignJson, foreignToml } from './foreign-settings.ts'
import { inTerminal, type Machine, newMachine } from './svc.ts'

/** A machine with credentials at the default path, whose PATH has no assistant. */
const plainMachine = (): Machine => {
  const machine = newMachine()
  delete machine.env.SVC_CONFIG_DIR
  machine.env.PATH = root
  return machine
}

const homeOf = (machine: Machine) => machine.env.HOME ?? ''

const run = async (machine: Machine, ...args: string[]) => {
  const result = await machine.svc([...args, '--json'])
  return { ...result, report: result.code === 0 ? JSON.parse(result.stdout) : undefined }
}

const connect = (machine: Machine, ...args: string[]) => run(machine, 'connect', ...args, '--yes')
const disconnect = (machine: Machine, ...args: string[]) =>
  run(machine, 'disconnect', ...args, '--yes')

/** The files of an assistant: that of the MCP server, and that of the hooks. */
const filesOf = async (machine: Machine, ...args: string[]): Promise<string[]> => {
  const { report } = await run(machine, 'connect', ...args, '--dry-run')
  return report.files.map(({ path }: { path: string }) => path)
}

const write = (path: string, text: string) => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

/** The files below the home directory, without those of Bun and of svc. */
const filesIn = (directory: string): string[] =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((each) => !each.isDirectory())
    .map((each) => join(each.parentPath, each.name))
    .filter((path) => !path.includes('/.bun/') && !path.includes('/.config/svc/'))
    // The file system lists them in any order.
    .sort()

const withJsonHooks = assistantNames.filter((name) => hookSettings[name].form !== 'plugin')

/** The commands of the hooks by event, in both forms. */
const commandsOf = (text: string) => {
  const { hooks } = parseJsonc(text) as { hooks: Record<string, { hooks?: object[] }[]> }
  return Object.entries(hooks).map(([event, list]) => [
    event,
    list.flatMap((entry) => entry.hooks ?? [entry]).map((each) => Object(each).command),
  ])
}

test.each(assistantNames)('connect adds the MCP server and the hooks to %s once', async (name) => {
  const machine = plainMachine()
  const { report } = await connect(machine, name)
  expect(report).toMatchObject({ client: name, scope: 'user', dry_run: false })
  const files = new Map<string, string>()
  for (const { path, changed } of report.files) {
    expect(changed).toBe(true)
    files.set(path, readFileSync(path, 'utf8'))
  }
  const [mcp = '', hooks = mcp] = [...files.values()]
  expect(mcp).toContain(join(root, 'svc'))
  if (hookSettings[name].form !== 'plugin')
    expect(commandsOf(hooks)).toEqual(
      hookEvents(name).map((event) => [event, [`${join(root, 'svc')} hook ${name}`]]),
    )

  const again = await connect(machine, name)
  expect(again.report.files.every((each: { changed: boolean }) => !each.changed)).toBe(true)
  expect(again.stderr).toContain(`already connected to ${mcpClients[name].title}`)
  for (const [path, text] of files) expect(readFileSync(path, 'utf8')).toBe(text)
  expect(filesIn(homeOf(machine)).sort()).toEqual([...files.keys()].sort())
})

test.each(assistantNames)('disconnect removes what connect created for %s', async (name) => {
  const machine = plainMachine()
  await connect(machine, name)
  await disconnect(machine, name)
  expect(filesIn(homeOf(machine))).toEqual([])
  const again = await disconnect(machine, name)
  expect(again.report.files.every((each: { changed: boolean }) => !each.changed)).toBe(true)
  expect(again.stderr).toContain('is not connected to')
  expect(readdirSync(homeOf(machine)).filter((each) => each !== '.bun')).toEqual(['.config'])
  expect(readdirSync(join(homeOf(machine), '.config'))).toEqual(['svc'])
})

const SEED = 27

test.each(withJsonHooks)(
  'connect and disconnect leave any foreign settings of %s as they were, byte for byte',
  async (name) => {
    const machine = plainMachine()
    const [mcpPath = '', hooksPath = mcpPath] = await filesOf(machine, name)
    const { format, table } = mcpClients[name]
    const json = foreignJson(table, hookEvents(name), hookSettings[name].form === 'groups')
    const mcp = format === 'toml' ? foreignToml : json
    await fc.assert(
      fc.asyncProperty(mcp, json, async (mcpText, hooksText) => {
        write(mcpPath, mcpText)
        if (hooksPath !== mcpPath) write(hooksPath, hooksText)
        const before = filesIn(homeOf(machine))
        expect((await connect(machine, name)).code).toBe(0)
        expect(readFileSync(hooksPath, 'utf8')).toContain(` hook ${name}`)
        expect((await disconnect(machine, name)).code).toBe(0)
        expect(readFileSync(mcpPath, 'utf8')).toBe(mcpText)
        if (hooksPath !== mcpPath) expect(readFileSync(hooksPath, 'utf8')).toBe(hooksText)
        expect(filesIn(homeOf(machine))).toEqual(before)
      }),
      { numRuns: 40, seed: SEED },
    )
  },
)

/** Removes empty objects and lists, which an entry of svc may leave or take along. */
const compact = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(compact)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== 'version')
      .map(([key, each]) => [key, compact(each)] as const)
      .filter(([, each]) => each === null || typeof each !== 'object' || Object.keys(each).length),
  )
}

const commentsOf = (text: string) => text.match(/\/\/ \d|\/\* end|\/\/ mine/g)

test.each(withJsonHooks)(
  'disconnect removes only svc from settings of %s that were changed meanwhile',
  async (name) => {
    const machine = plainMachine()
    const [mcpPath = '', hooksPath = mcpPath] = await filesOf(machine, name)
    const { table } = mcpClients[name]
    const json = foreignJson(table, hookEvents(name), hookSettings[name].form === 'groups')
    await fc.assert(
      fc.asyncProperty(json, async (text) => {
        write(hooksPath, text)
        await connect(machine, name)
        // The assistant adds a line at the end.
        writeFileSync(hooksPath, `${readFileSync(hooksPath, 'utf8')}\n// later\n`)
        await disconnect(machine, name)
        const after = readFileSync(hooksPath, 'utf8')
        expect(after).toEndWith('// later\n')
        const plain = (each: string) => compact(parseJsonc(each.replace('\uFEFF', '')))
        expect(plain(after)).toEqual(plain(text))
        expect(commentsOf(after)).toEqual(commentsOf(text))
        expect(after.startsWith('\uFEFF')).toBe(text.startsWith('\uFEFF'))
      }),
      { numRuns: 40, seed: SEED },
    )
  },
)

test('disconnect removes the tables of svc from changed settings of codex, and keeps the rest', async () => {
  const machine = plainMachine()
  machine.env.SVC_CONFIG_DIR = machine.configDir
  const [path = ''] = await filesOf(machine, 'codex')
  await fc.assert(
    fc.asyncProperty(foreignToml, async (text) => {
      write(path, text)
      await connect(machine, 'codex', '--only', 'mcp')
      const added = '\n# trusted\n[hooks.state.x]\ntrusted_hash = "1"\n'
      writeFileSync(path, `${readFileSync(path, 'utf8')}${added}`)
      await disconnect(machine, 'codex', '--only', 'mcp')
      const after = readFileSync(path, 'utf8')
      expect(after.replaceAll('\r\n', '\n').replace(/\n+# trusted/, '\n# trusted')).toBe(
        `${text.replaceAll('\r\n', '\n').trimEnd()}${added}`,
      )
    }),
    { numRuns: 60, seed: SEED },
  )
})

test('--only chooses the part, and the last part restores the original file', async () => {
  const machine = plainMachine()
  const [path = ''] = await filesOf(machine, 'gemini-cli')
  const before = '{"ui": {"theme": "dark"}, "hooks": {}}'
  write(path, before)
  await connect(machine, 'gemini-cli', '--only', 'mcp')
  expect(readFileSync(path, 'utf8')).not.toContain(' hook ')
  await connect(machine, 'gemini-cli', '--only', 'hooks')
  await disconnect(machine, 'gemini-cli', '--only', 'mcp')
  expect(readFileSync(path, 'utf8')).not.toContain('mcpServers')
  expect(readFileSync(path, 'utf8')).toContain(' hook gemini-cli')
  await disconnect(machine, 'gemini-cli')
  expect(readFileSync(path, 'utf8')).toBe(before)
  expect(filesIn(homeOf(machine))).toEqual([path])
})

test('a hook of another copy of svc is updated in place, and surplus ones are removed', async () => {
  const machine = plainMachine()
  const [, path = ''] = await filesOf(machine, 'codex')
  const group = (command: string, more = {}) => ({ hooks: [{ type: 'command', command, ...more }] })
  const mine = group('my-svc-hook codex')
  write(
    path,
    JSON.stringify({
      hooks: {
        Stop: [
          mine,
          group("SVC_URL=x '/old/svc' hook codex", { timeout: 3 }),
          group('svc hook codex'),
        ],
        PreToolUse: [group('/old/svc hook codex'), group('svc hook codexes')],
      },
    }),
  )
  await connect(machine, 'codex')
  const command = `${join(root, 'svc')} hook codex`
  const { hooks } = JSON.parse(readFileSync(path, 'utf8'))
  expect(hooks.Stop).toEqual([mine, group(command, { timeout: 3 })])
  expect(hooks.PreToolUse).toEqual([group('svc hook codexes')])
  expect(hooks.SessionStart).toHaveLength(1)
})

test('hooks get the profile, the server and the directory of svc as variables', async () => {
  const machine = newMachine('https://svc.example.com')
  machine.env.SVC_CONFIG_DIR = join(homeOf(machine), "ada's config")
  const { report } = await connect(machine, 'codex', '--profile', 'work')
  const { hooks } = JSON.parse(readFileSync(report.files[1].path, 'utf8'))
  const { command } = hooks.Stop[0].hooks[0]
  const shown = Bun.spawnSync([
    'sh',
    '-c',
    command.replace(join(root, 'svc'), "sh -c 'env; echo hook codex'"),
  ])
  const printed = shown.stdout.toString()
  expect(printed).toContain(`SVC_CONFIG_DIR=${machine.env.SVC_CONFIG_DIR}\n`)
  expect(printed).toContain('SVC_PROFILE=work\n')
  expect(printed).toContain('SVC_URL=https://svc.example.com\n')
  expect(printed).toEndWith('hook codex\n')
})

test('--org is refused for hooks, which have the organization of the profile', async () => {
  const machine = plainMachine()
  const result = await connect(machine, 'codex', '--org', 'Herons')
  expect([result.code, result.stdout]).toEqual([2, ''])
  expect(result.stderr).toContain('--only mcp')
  expect((await connect(machine, 'codex', '--org', 'Herons', '--only', 'mcp')).code).toBe(0)
})

test.each(assistantNames)('--project changes the settings of the project for %s', async (name) => {
  const machine = plainMachine()
  const folder = join(homeOf(machine), 'project')
  mkdirSync(folder)
  machine.cwd = realpathSync(folder)
  await connect(machine, name, '--project')
  const files = filesIn(homeOf(machine))
  expect(files.length).toBeGreaterThan(0)
  for (const path of files) {
    expect(path).toStartWith(`${folder}/`)
    expect(readFileSync(path, 'utf8')).not.toContain(root)
  }
  expect((await machine.svc(['connect', '--project'])).stdout).toMatch(
    new RegExp(`^${name} .*yes +yes$`, 'm'),
  )
  await disconnect(machine, name, '--project')
  expect(readdirSync(folder)).toEqual([])
})

test.each<[AssistantName, number, string]>([
  ['claude-code', 1, '{ "hooks": '],
  ['claude-code', 1, '{ "hooks": [] }'],
  ['claude-code', 1, '{ "hooks": { "Stop": {} } }'],
  ['claude-code', 1, '{ "hooks": {}, "hooks": { "Stop": [] } }'],
  ['claude-code', 1, '[]'],
  ['claude-code', 1, 'hooks'],
  ['gemini-cli', 0, '{ "mcpServers": 1 }'],
  ['opencode', 0, '{ "mcp": '],
  ['opencode', 1, 'export const Mine = () => {}\n'],
  ['codex', 0, 'model = '],
])(
  '%s with the settings %d as %j is refused, and no file is changed',
  async (name, index, text) => {
    const machine = plainMachine()
    const path = (await filesOf(machine, name))[index] ?? ''
    write(path, text)
    const result = await machine.svc(['connect', name, '--yes'])
    expect([result.code, result.stdout]).toEqual([1, ''])
    expect(result.stderr).toContain(`${path} was not changed`)
    expect(filesIn(homeOf(machine))).toEqual([path])
    expect(readFileSync(path, 'utf8')).toBe(text)
    const listed = (await machine.svc(['connect'])).stdout
    if (!/^export|"Stop": \[\]/.test(text))
      expect(listed).toMatch(new RegExp(`^${name} .*unreadable`, 'm'))
  },
)

test('a folder in place of the settings is refused and left as it is', async () => {
  const machine = plainMachine()
  const [path = ''] = await filesOf(machine, 'gemini-cli')
  write(join(path, 'kept'), 'x')
  const { code, stderr } = await connect(machine, 'gemini-cli')
  expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining(path) })
  expect(readFileSync(join(path, 'kept'), 'utf8')).toBe('x')
})

test('invalid UTF-8 and read-only settings are refused and left as they are', async () => {
  const machine = plainMachine()
  const [path = ''] = await filesOf(machine, 'gemini-cli')
  write(path, '')
  writeFileSync(path, Buffer.from([0x7b, 0xff, 0x7d]))
  expect((await connect(machine, 'gemini-cli')).stderr).toContain(`Cannot access ${path}`)
  expect(readFileSync(path)).toEqual(Buffer.from([0x7b, 0xff, 0x7d]))
  writeFileSync(path, '{}')
  chmodSync(path, 0o444)
  expect((await connect(machine, 'gemini-cli')).stderr).toContain(`${path} is read-only`)
  expect(readFileSync(path, 'utf8')).toBe('{}')
})

test('a symbolic link and the mode of a file are kept', async () => {
  const machine = plainMachine()
  const [path = ''] = await filesOf(machine, 'gemini-cli')
  const real = join(homeOf(machine), 'dotfiles', 'gemini.json')
  write(real, '{}')
  chmodSync(real, 0o640)
  mkdirSync(dirname(path))
  symlinkSync(real, path)
  for (const command of [connect, disconnect]) {
    await command(machine, 'gemini-cli')
    expect(lstatSync(path).isSymbolicLink()).toBe(true)
    expect(statSync(real).mode & 0o777).toBe(0o640)
  }
  expect(readFileSync(real, 'utf8')).toBe('{}')
})

test('without its record disconnect still removes svc', async () => {
  const machine = plainMachine()
  const record = join(homeOf(machine), '.config/svc/connections.json')
  for (const damaged of [undefined, 'x', '[]', '{"a": 1}']) {
    await connect(machine, 'claude-code')
    expect(statSync(record).mode & 0o777).toBe(0o600)
    if (damaged === undefined) rmSync(record)
    else writeFileSync(record, damaged)
    await disconnect(machine, 'claude-code')
    const files = filesIn(homeOf(machine)).filter((path) => !path.includes('.before-svc-'))
    for (const path of files) expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({})
  }
})

test('--dry-run shows the changes, and writes nothing', async () => {
  const machine = plainMachine()
  const result = await machine.svc(['connect', 'codex', '--dry-run'])
  expect(result.stdout).toMatch(/^\+ \[mcp_servers\.svc\]$/m)
  expect(result.stdout).toMatch(/^\+ .*svc hook codex"/m)
  expect(result.stderr).toContain('Dry run')
  expect(filesIn(homeOf(machine))).toEqual([])
})

test('without a terminal --yes is needed', async () => {
  const machine = plainMachine()
  const result = await machine.svc(['connect', 'codex', '--only', 'hooks'])
  expect([result.code, result.stdout]).toEqual([2, ''])
  expect(result.stderr).toContain('Run: svc connect codex --only hooks --yes')
  expect(filesIn(homeOf(machine))).toEqual([])
})

test('at a terminal connect shows the changes, asks, and says what is left to do', async () => {
  const machine = plainMachine()
  for (const answer of ['\r', 'y\r']) {
    const terminal = inTerminal(machine, ['connect', 'codex'])
    await terminal.sees(/\+ \[mcp_servers\.svc\][\s\S]*\+ .*hook codex[\s\S]*Change these files\?/)
    expect(filesIn(homeOf(machine))).toEqual([])
    terminal.type(answer)
    await terminal.sees(answer === '\r' ? /Nothing was changed/ : /Connected svc to Codex/)
    expect(await terminal.child.exited).toBe(0)
    if (answer === '\r') continue
    expect(terminal.seen()).toContain('/hooks')
    expect(terminal.seen()).toContain('svc import --from codex')
  }
  expect(filesIn(homeOf(machine))).toHaveLength(2)
})

test('connect lists the assistants of the machine and what each has', async () => {
  const machine = plainMachine()
  const none = await machine.svc(['connect'])
  expect([none.code, none.stdout]).toEqual([0, ''])
  expect(none.stderr).toContain('svc connect codex')

  await connect(machine, 'codex')
  await connect(machine, 'gemini-cli', '--only', 'mcp')
  mkdirSync(join(homeOf(machine), '.codeium/windsurf'), { recursive: true })
  const bin = join(homeOf(machine), 'bin')
  write(join(bin, 'opencode'), '#!/bin/sh\n')
  chmodSync(join(bin, 'opencode'), 0o755)
  machine.env.PATH = bin
  const [, path = ''] = await filesOf(machine, 'codex')
  const { hooks } = JSON.parse(readFileSync(path, 'utf8'))
  writeFileSync(path, JSON.stringify({ hooks: { ...hooks, Stop: [] } }))
  expect((await run(machine, 'connect')).report).toEqual([
    { client: 'codex', title: 'Codex', mcp: 'yes', hooks: 'partly' },
    { client: 'opencode', title: 'OpenCode', mcp: 'no', hooks: 'no' },
    { client: 'gemini-cli', title: 'Gemini CLI', mcp: 'yes', hooks: 'no' },
    { client: 'windsurf', title: 'Windsurf', mcp: 'no', hooks: null },
  ])
})

test('an assistant without hooks gets the MCP server, and connect says that it has none', async () => {
  const machine = plainMachine()
  const connected = await machine.svc(['connect', 'windsurf', '--yes'])
  expect(connected.code).toBe(0)
  expect(connected.stderr).toContain('Windsurf has no hooks')
  const hooks = await machine.svc(['connect', 'windsurf', '--only', 'hooks', '--yes'])
  expect([hooks.code, hooks.stdout]).toEqual([2, ''])
  const project = await machine.svc(['connect', 'windsurf', '--project', '--yes'])
  expect([project.code, project.stdout]).toEqual([2, ''])
})

test.each<[AssistantName, number, string, string]>([
  ['codex', 0, '[features]\nhooks = false\n', 'features.hooks = false'],
  ['claude-code', 1, '{ "disableAllHooks": true }', 'disableAllHooks = true'],
  ['gemini-cli', 0, '{ "hooksConfig": { "enabled": false } }', 'hooksConfig.enabled = false'],
])('connect warns if the hooks of %s are turned off', async (name, index, text, setting) => {
  const machine = plainMachine()
  const path = (await filesOf(machine, name))[index] ?? ''
  expect((await connect(machine, name)).stderr).not.toContain('Hooks are off')
  write(path, text)
  expect((await connect(machine, name)).stderr).toContain(`by ${setting} in ${path}`)
  expect((await connect(machine, name, '--only', 'mcp')).stderr).not.toContain('Hooks are off')
})

test('the settings directory of an assistant can be moved', async () => {
  const machine = plainMachine()
  const at = (name: string) => join(homeOf(machine), name)
  machine.env.CODEX_HOME = at('codex')
  machine.env.CLAUDE_CONFIG_DIR = at('claude')
  machine.env.XDG_CONFIG_HOME = at('xdg')
  expect(await filesOf(machine, 'codex')).toEqual([at('codex/config.toml'), at('codex/hooks.json')])
  expect(await filesOf(machine, 'claude-code')).toEqual([
    at('claude/.claude.json'),
    at('claude/settings.json'),
  ])
  expect(await filesOf(machine, 'opencode')).toEqual([
    at('xdg/opencode/opencode.json'),
    at('xdg/opencode/plugin/svc.js'),
  ])
  const [path = ''] = await filesOf(machine, 'opencode')
  write(path, '{}')
  renameSync(path, `${path}c`)
  expect((await filesOf(machine, 'opencode'))[0]).toBe(`${path}c`)
  expect(existsSync(path)).toBe(false)
})
