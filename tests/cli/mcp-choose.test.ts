import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inTerminal, newMachine } from './svc.ts'

/** A machine with Claude Code, which has a settings file, and Codex, which has only a folder. */
const machineWithClients = () => {
  const machine = newMachine()
  const home = machine.env.HOME ?? ''
  writeFileSync(join(home, '.claude.json'), '{}')
  mkdirSync(join(home, '.codex'))
  const settings = { claude: join(home, '.claude.json'), codex: join(home, '.codex/config.toml') }
  return { machine, settings }
}

test('mcp install lists the installed clients at a terminal, and configures the chosen one', async () => {
  for (const typed of ['2', 'codex']) {
    const { machine, settings } = machineWithClients()
    const terminal = inTerminal(machine, ['mcp', 'install'])
    await terminal.sees(/ 1 {2}Claude Code\r\n +2 {2}Codex\r\n.*\? \[1-2\] /)
    terminal.type(`${typed}\r`)
    await terminal.sees(/Added svc to Codex/)
    expect(await terminal.child.exited).toBe(0)
    expect(readFileSync(settings.codex, 'utf8')).toContain('[mcp_servers.svc]')
    expect(readFileSync(settings.claude, 'utf8')).toBe('{}')
  }
})

test.each([
  ['\r', 0, 'Nothing was changed.'],
  ['\x04', 0, 'Nothing was changed.'],
  ['3\r', 2, 'There is no assistant with this number.'],
  ['0\r', 2, 'There is no assistant with this number.'],
])('the answer %j changes nothing', async (typed, code, message) => {
  const { machine, settings } = machineWithClients()
  const terminal = inTerminal(machine, ['mcp', 'install'])
  await terminal.sees(/\[1-2\] /)
  terminal.type(typed)
  expect(await terminal.child.exited).toBe(code)
  expect(terminal.seen()).toContain(message)
  expect(existsSync(settings.codex)).toBe(false)
  expect(readFileSync(settings.claude, 'utf8')).toBe('{}')
})

test('without a terminal mcp install names the installed clients and the command for each', async () => {
  const { machine, settings } = machineWithClients()
  expect(await machine.svc(['mcp', 'install'])).toEqual({
    code: 2,
    stdout: '',
    stderr: `error: Found Claude Code, Codex, but there is no terminal to choose one.
Run: svc mcp install --client claude-code, or: svc mcp install --client codex
`,
  })
  expect(existsSync(settings.codex)).toBe(false)
})

test('only clients that support the scope are offered', async () => {
  const { machine } = machineWithClients()
  mkdirSync(join(machine.env.HOME ?? '', '.codeium/windsurf'), { recursive: true })
  const found = async (...args: string[]) =>
    (await machine.svc(['mcp', 'install', ...args])).stderr.includes('Windsurf')
  expect(await found()).toBe(true)
  expect(await found('--scope', 'project')).toBe(false)
})

test('without an installed client mcp install names the option', async () => {
  const result = await newMachine().svc(['mcp', 'install'])
  expect([result.code, result.stdout]).toEqual([1, ''])
  expect(result.stderr).toMatch(
    /^error: No assistant .*\nName one, such as: svc mcp install --client claude-code\n$/,
  )
})
