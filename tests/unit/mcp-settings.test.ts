import { expect, test } from 'bun:test'
import { mcpClients, type ServerEntry } from '../../shared/mcp-clients.ts'
import { settingsText } from '../../shared/mcp-settings.ts'

const URL_OF_MCP = 'http://localhost:3000/api/mcp'
const docs = await Bun.file(new URL('../../docs/how-to/assistants.md', import.meta.url)).text()

test('the settings of each client parse to the entry, whatever characters it has', () => {
  const entry: ServerEntry = {
    command: 'C:\\svc\\"svc"',
    args: ['mcp', 'run\u007f\t'],
    env: { SVC_URL: 'http://a/ä', SVC_API_KEY: 'svc_1' },
  }
  for (const client of Object.values(mcpClients)) {
    const parse = client.format === 'toml' ? Bun.TOML.parse : JSON.parse
    expect(parse(settingsText(client, entry))).toEqual({ [client.table]: { svc: entry } })
  }
})

test('the guide has the commands of the clients', () => {
  for (const command of [
    ...mcpClients['claude-code'].commands(URL_OF_MCP),
    ...mcpClients.codex.commands(URL_OF_MCP),
  ])
    expect(docs).toContain(`\`${command}\``)
})

test('a deep link has the name and the entry of the server', () => {
  const entry = { url: URL_OF_MCP }
  const cursor = new URL(mcpClients.cursor.link(entry))
  expect(cursor.searchParams.get('name')).toBe('svc')
  expect(JSON.parse(atob(cursor.searchParams.get('config') ?? ''))).toEqual(entry)
  const [, config = ''] = mcpClients.vscode.link(entry).split('?')
  expect(JSON.parse(decodeURIComponent(config))).toEqual({ name: 'svc', ...entry })
})
