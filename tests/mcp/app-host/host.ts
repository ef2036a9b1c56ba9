/**
 * A host of MCP Apps, in a browser: the official bridge and the official client. The test bundles it and
 * calls `showRecall`.
 */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import {
  AppBridge,
  getToolUiResourceUri,
  isToolVisibilityAppOnly,
  PostMessageTransport,
} from '@modelcontextprotocol/ext-apps/app-bridge'

interface Show {
  key: string
  input: Record<string, unknown>
  theme?: 'light' | 'dark'
  /** The query of the endpoint, such as `?readonly=true`. */
  query?: string
}

interface Frame {
  contentWindow: unknown
  srcdoc: string
  height: string
  addEventListener(event: string, listener: () => void): void
}

/** The parts of the browser that this page uses. */
interface Page {
  document: { getElementById(id: string): Frame }
  location: { origin: string }
  /** For the test. */
  host: {
    /** The names of the tools that were called. */
    calls: string[]
    /** Tools whose next call fails. */
    failNext: string[]
    modelContext: string[]
    modelTools: string[]
  }
  changeTheme(theme: 'light' | 'dark'): void
}
const page = globalThis as unknown as Page

/** The network, which the test interrupts. */
const fetchUnlessFailing: typeof fetch = Object.assign(
  (input: Parameters<typeof fetch>[0], init?: RequestInit) => {
    const { method, params } = JSON.parse(typeof init?.body === 'string' ? init.body : '{}')
    if (method === 'tools/call') {
      page.host.calls.push(params.name)
      const index = page.host.failNext.indexOf(params.name)
      if (index >= 0) {
        page.host.failNext.splice(index, 1)
        return Promise.reject(new Error('The network is down'))
      }
    }
    return fetch(input, init)
  },
  { preconnect: () => {} },
)

const connect = async ({ key, query = '' }: Show): Promise<Client> => {
  const client = new Client(
    { name: 'host', version: '1.0.0' },
    {
      capabilities: {
        elicitation: { form: {} },
        extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } },
      },
      versionNegotiation: { mode: { pin: '2026-07-28' } },
    },
  )
  client.setRequestHandler('elicitation/create', () => {
    throw new Error('the page has asked already')
  })
  const url = new URL(`/api/mcp${query}`, page.location.origin)
  const headers = { authorization: `Bearer ${key}` }
  await client.connect(
    new StreamableHTTPClientTransport(url, { requestInit: { headers }, fetch: fetchUnlessFailing }),
  )
  return client
}

/** Calls recall as a model would, and shows its page. */
const showRecall = async (show: Show): Promise<void> => {
  page.host = { calls: [], failNext: [], modelContext: [], modelTools: [] }
  const client = await connect(show)
  const { tools } = await client.listTools()
  page.host.modelTools = tools
    .filter((tool) => !isToolVisibilityAppOnly(tool))
    .map(({ name }) => name)
  const recall = tools.find(({ name }) => name === 'recall')
  const uri = recall && getToolUiResourceUri(recall)
  if (!uri) throw new Error('recall has no page')
  const result = await client.callTool({ name: 'recall', arguments: show.input })
  const { contents } = await client.readResource({ uri })
  const frame = page.document.getElementById('app')
  const bridge = new AppBridge(
    client,
    { name: 'host', version: '1.0.0' },
    { serverTools: {}, updateModelContext: { text: {} } },
    { hostContext: { theme: show.theme ?? 'light', locale: 'en', timeZone: 'UTC' } },
  )
  bridge.onupdatemodelcontext = async ({ content }) => {
    page.host.modelContext = (content ?? []).map((each) => ('text' in each ? each.text : ''))
    return {}
  }
  bridge.onsizechange = ({ height }) => {
    frame.height = `${height}`
  }
  page.changeTheme = (theme) => bridge.setHostContext({ theme, locale: 'en', timeZone: 'UTC' })
  bridge.oninitialized = async () => {
    await bridge.sendToolInput({ arguments: show.input })
    await bridge.sendToolResult(result)
  }
  const target = frame.contentWindow as ConstructorParameters<typeof PostMessageTransport>[0]
  await bridge.connect(new PostMessageTransport(target, target))
  const [content] = contents
  frame.srcdoc = content && 'text' in content ? content.text : ''
}

Object.assign(globalThis, { showRecall })
