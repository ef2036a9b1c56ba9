import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hookEvents } from '../../cli/assistants/hook-settings.ts'
import { version } from '../../package.json'
import { cleanEnv, configDirectory, root } from './client.ts'

const build = async (...args: string[]) => {
  const child = Bun.spawn([process.execPath, 'scripts/assistant-plugins.ts', ...args], {
    cwd: root,
    env: cleanEnv(),
    stdout: 'pipe',
    stderr: 'inherit',
  })
  expect(await child.exited).toBe(0)
  return new Response(child.stdout).text()
}

test('the plugins have the files that each assistant reads, with the server and the hooks', async () => {
  using directory = configDirectory()
  const path = (name: string) => join(directory.path, name)
  const read = (name: string) => JSON.parse(readFileSync(path(name), 'utf8'))
  expect(await build('--outdir', directory.path)).toBe(
    ['claude-code', 'gemini-cli', 'opencode'].map((name) => `${path(name)}\n`).join(''),
  )
  expect(read('claude-code/.claude-plugin/plugin.json')).toMatchObject({ name: 'svc', version })
  expect(read('claude-code/.mcp.json').mcpServers.svc).toEqual({
    type: 'stdio',
    command: 'svc',
    args: ['mcp', 'run'],
  })
  expect(read('gemini-cli/gemini-extension.json')).toMatchObject({
    name: 'svc',
    version,
    mcpServers: { svc: { command: 'svc', args: ['mcp', 'run'] } },
  })
  for (const name of ['claude-code', 'gemini-cli'] as const) {
    const { hooks } = read(`${name}/hooks/hooks.json`)
    expect(Object.keys(hooks)).toEqual(hookEvents(name))
    for (const [{ hooks: commands }] of Object.values<[{ hooks: object[] }]>(hooks))
      expect(commands).toEqual([
        expect.objectContaining({ type: 'command', command: `svc hook ${name}` }),
      ])
  }
  expect(read('opencode/package.json')).toMatchObject({ type: 'module', main: 'svc.js', version })
  const plugin = await import(path('opencode/svc.js'))
  expect(Object.keys(await plugin.SvcMemory({ client: {}, directory: '/' }))).toEqual([
    ...['chat.message', 'chat.headers', 'event'],
  ])
  expect(readdirSync(path('opencode')).sort()).toEqual(['package.json', 'svc.js'])
})

test('--command names another command, which starts svc in a hook', async () => {
  using directory = configDirectory()
  await build('--outdir', directory.path, '--command', join(root, 'svc'))
  const { hooks } = await Bun.file(join(directory.path, 'claude-code/hooks/hooks.json')).json()
  const [{ command }] = hooks.Stop[0].hooks
  const run = Bun.spawnSync(['sh', '-c', command], {
    env: cleanEnv(),
    cwd: '/',
    stdin: Buffer.from('{}'),
  })
  expect([run.exitCode, run.stdout.toString(), run.stderr.toString()]).toEqual([0, '', ''])
})
