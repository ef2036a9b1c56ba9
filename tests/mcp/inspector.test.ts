import { describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newUser, useSharedServer } from '../harness/server.ts'
import { cleanEnv, command, args as ours, root, TOOL_NAMES } from './client.ts'

const server = useSharedServer()

const INSPECTOR = join(
  root,
  'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js',
)

/** Runs the inspector's command line with its own home directory. */
const inspect = async (...args: string[]) => {
  const home = mkdtempSync(join(tmpdir(), 'svc-inspector-'))
  try {
    const child = Bun.spawn([process.execPath, INSPECTOR, '--cli', ...args], {
      cwd: root,
      env: cleanEnv({ HOME: home }),
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const [stdout, stderr] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ])
    return { code: await child.exited, stdout, stderr }
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

const overStdio = (key: string) => [
  command,
  ...ours,
  ...['-e', `SVC_URL=${server.current.url}`, '-e', `SVC_API_KEY=${key}`],
]
const overHttp = (key: string) => [
  ...['--transport', 'http', '--server-url', `${server.current.url}/api/mcp`],
  ...['--header', `Authorization: Bearer ${key}`],
]

describe.each([
  ['stdio', overStdio],
  ['HTTP', overHttp],
] as const)('the inspector over %s', (_, where) => {
  test('lists the tools, calls them and reads the stored memories', async () => {
    const { key } = await newUser(server.current)
    const runInspector = async (...method: string[]) => {
      const { code, stdout, stderr } = await inspect(...where(key), '--method', ...method)
      if (code !== 0) throw new Error(`exit ${code}: ${stderr}`)
      return JSON.parse(stdout)
    }
    const { tools } = await runInspector('tools/list')
    expect(tools.map(({ name }: { name: string }) => name)).toEqual(TOOL_NAMES)

    const content = ['--tool-arg', 'content=The heron is grey.']
    const remembered = await runInspector('tools/call', '--tool-name', 'remember', ...content)
    expect(remembered.structuredContent.content_text).toBe('The heron is grey.')
    const query = ['--tool-arg', 'query=What colour is the heron?']
    const recalled = await runInspector('tools/call', '--tool-name', 'recall', ...query)
    expect(recalled.content[0].text).toContain('The heron is grey.')

    const { resources } = await runInspector('resources/list')
    const read = await runInspector('resources/read', '--uri', resources[0].uri)
    expect(read.contents[0].text).toBe('The heron is grey.')
    const { prompts } = await runInspector('prompts/list')
    expect(prompts).toHaveLength(3)
  })
})
