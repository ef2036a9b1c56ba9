import { describe, expect, test } from 'bun:test'
import { createClient } from '../../shared/client.ts'
import { createKey, remember } from '../../shared/contract/index.ts'
import { newUser, request, useSharedServer } from '../harness/server.ts'
import { APPS, connectCapable, connectCapableOlder } from './capable-client.ts'
import { CURRENT, clientInfo, TOOL_NAMES, textOf } from './client.ts'

const server = useSharedServer()

const URI = 'ui://svc/memories.html'

describe('a client that announces MCP Apps', () => {
  const ways = [
    ['current, over HTTP', connectCapable, 'http'],
    ['current, over stdio', connectCapable, 'stdio'],
    ['older, over HTTP', connectCapableOlder, 'http'],
    ['older, over stdio', connectCapableOlder, 'stdio'],
  ] as const

  for (const [name, connect, over] of ways) {
    test(`${name}: recall names its page, and other clients see what they saw without it`, async () => {
      const user = await newUser(server.current)
      await user.client.call(remember, { body: { content: 'Ada drinks tea.' } })
      await using capable = await connect(server.current, user.key, { over, extensions: APPS })
      await using other = await connect(server.current, user.key, { over })
      const { tools } = await capable.client.listTools()
      const { tools: plain } = await other.client.listTools()
      expect(plain.map((tool) => tool.name)).toEqual(TOOL_NAMES)
      expect(JSON.stringify(plain)).not.toContain('_meta')
      expect(tools.map((tool) => tool.name)).toEqual([...TOOL_NAMES, 'review'])
      expect(tools[0]?._meta).toEqual({ ui: { resourceUri: URI }, 'ui/resourceUri': URI })
      expect(tools.at(-1)?._meta).toEqual({ ui: { visibility: ['app'] } })
      const withoutApps = tools
        .filter((tool) => tool.name !== 'review')
        .map(({ _meta, ...tool }) => tool)
      expect(JSON.stringify(withoutApps)).toBe(JSON.stringify(plain))

      const call = { name: 'recall', arguments: { query: 'What does Ada drink?' } }
      const shown = await capable.client.callTool(call)
      expect(JSON.stringify(shown)).toBe(JSON.stringify(await other.client.callTool(call)))
      const review = { name: 'review', arguments: { memory_id: 'x', verdict: 'forget' } }
      expect(textOf(await other.client.callTool(review))).toBe('Tool review not found')
      expect(textOf(await capable.client.callTool(review))).toContain('memory_id: must be a UUID')
    })
  }

  test('review names the argument that is wrong, and needs a key that writes', async () => {
    const user = await newUser(server.current)
    const { memory_id } = await user.client.call(remember, { body: { content: 'Ada drinks tea.' } })
    const open = (key: string) =>
      connectCapable(server.current, key, { over: 'http', extensions: APPS })
    await using mcp = await open(user.key)
    const review = (input: object) =>
      mcp.client.callTool({ name: 'review', arguments: { memory_id, ...input } }).then(textOf)
    for (const feedback_id of [undefined, 'x', '../../me', 5])
      expect(await review({ verdict: 'relevant', feedback_id })).toContain('feedback_id: must be')
    expect(await review({ verdict: 'x' })).toContain('verdict: must be')
    expect(await review({ verdict: 'irrelevant' })).toContain('question: ')
    const session = createClient({ baseUrl: server.current.url, credential: user.accessToken })
    const { key } = await session.call(createKey, {
      body: { name: 'Reader', scopes: ['memory:read', 'chat'] },
    })
    await using reader = await open(key)
    const call = { name: 'review', arguments: { memory_id, verdict: 'forget' } }
    await expect(reader.client.callTool(call)).rejects.toThrow('Tool review not found')
  })

  test('a connection whose tools change no memories has no review', async () => {
    const user = await newUser(server.current)
    const namesWith = async (tools: string) => {
      const { body } = await request(server.current, 'POST', `/api/mcp?tools=${tools}`, {
        token: user.key,
        headers: {
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': CURRENT,
          'mcp-method': 'tools/list',
        },
        body: {
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/list',
          params: {
            _meta: {
              'io.modelcontextprotocol/protocolVersion': CURRENT,
              'io.modelcontextprotocol/clientInfo': clientInfo,
              'io.modelcontextprotocol/clientCapabilities': { extensions: APPS },
            },
          },
        },
      })
      return body.result.tools.map(({ name }: { name: string }) => name)
    }
    expect(await namesWith('recall,talk,status')).toEqual(['recall', 'talk', 'status'])
    expect(await namesWith('recall,remember')).toEqual(['recall', 'remember', 'review'])
    expect(await namesWith('remember')).toEqual(['remember'])
  })

  test('the page is one file without network, and is not listed', async () => {
    const user = await newUser(server.current)
    await using mcp = await connectCapable(server.current, user.key, {
      over: 'http',
      extensions: APPS,
    })
    const { contents } = await mcp.client.readResource({ uri: URI })
    const [page] = contents as { text: string }[]
    expect(page).toMatchObject({
      mimeType: 'text/html;profile=mcp-app',
      _meta: { ui: { csp: {}, prefersBorder: true } },
    })
    expect(page?.text).not.toMatch(/https?:|src=|href=/)
    expect(page?.text.length).toBeLessThan(32_000)
    const { resources } = await mcp.client.listResources()
    expect(JSON.stringify(resources)).not.toContain('ui://')
  })

  test('a host that claims other types, or nonsense, gets no page', async () => {
    const user = await newUser(server.current)
    for (const app of [{ mimeTypes: ['text/plain'] }, { mimeTypes: 'text/html' }, {}]) {
      await using mcp = await connectCapable(server.current, user.key, {
        over: 'http',
        extensions: { 'io.modelcontextprotocol/ui': app },
      })
      const { tools } = await mcp.client.listTools()
      expect(JSON.stringify(tools)).not.toContain('_meta')
    }
  })
})
