/** How the host shows the page (`McpUiHostContext`). A change has only the fields that changed. */
export interface HostContext {
  theme?: string
  styles?: { variables?: Record<string, string | undefined> }
  /** BCP 47. */
  locale?: string
  /** IANA name. */
  timeZone?: string
}

/** The answer to `ui/initialize` (`McpUiInitializeResult`). */
interface Initialized {
  hostCapabilities?: { updateModelContext?: object }
  hostContext?: HostContext
}

/** The result of a tool, as the host passes it on. */
export interface ToolResult {
  content?: { type: string; text?: string }[]
  structuredContent?: Record<string, unknown>
  isError?: boolean
}

interface HostEvents {
  onInput(input: Record<string, unknown>): void
  onResult(result: ToolResult): void
  onCancel(): void
  onContext(context: HostContext): void
}

/** The client that shows the page. */
export type Host = Awaited<ReturnType<typeof connect>>

interface Message {
  jsonrpc: '2.0'
  id?: number | string
  method?: string
  params?: Record<string, unknown>
  result?: unknown
  error?: { code: number; message: string }
}

const APP_INFO = { name: 'svc-memories', version: '1.0.0' }
/** The revision of MCP Apps. */
const PROTOCOL = '2026-01-26'
const METHOD_NOT_FOUND = -32_601

/** Opens the connection to the host (MCP Apps: JSON-RPC over `postMessage`). */
export const connect = async (events: HostEvents) => {
  const request = listen(events)
  const params = {
    appInfo: APP_INFO,
    appCapabilities: { availableDisplayModes: ['inline'] },
    protocolVersion: PROTOCOL,
  }
  const host = (await request('ui/initialize', params)) as Initialized
  events.onContext(host.hostContext ?? {})
  send({ method: 'ui/notifications/initialized', params: {} })
  reportSize()
  return {
    /** Calls a tool of svc. @throws Error with the text of a failed call. */
    async callTool(name: string, input: Record<string, unknown>): Promise<ToolResult> {
      const result = (await request('tools/call', { name, arguments: input })) as ToolResult
      if (result.isError) throw new Error(textOf(result) || 'The call failed.')
      return result
    },

    /** Tells the model what the user changed, if the host passes it on. A later text replaces an earlier one. */
    informModel(text: string): void {
      if (!host.hostCapabilities?.updateModelContext) return
      const content = [{ type: 'text', text }]
      request('ui/update-model-context', { content }).catch(() => {})
    },
  }
}

export const textOf = ({ content }: ToolResult): string =>
  Array.isArray(content) ? content.flatMap((part) => part?.text ?? []).join('\n') : ''

const send = (message: Omit<Message, 'jsonrpc'>): void => {
  // A sandboxed host frame has an opaque origin. The messages are for the frame that shows the page.
  window.parent.postMessage({ jsonrpc: '2.0', ...message }, '*')
}

/** @returns a function that sends a request and resolves with its result. */
const listen = (events: HostEvents) => {
  const pending = new Map<number, PromiseWithResolvers<unknown>>()
  let lastId = 0
  addEventListener('message', ({ source, data }: MessageEvent<unknown>) => {
    if (source !== window.parent || !isMessage(data)) return
    if (data.method === undefined) settle(pending, data)
    else if (data.id === undefined) notify(events, data)
    else if (['ping', 'ui/resource-teardown'].includes(data.method))
      send({ id: data.id, result: {} })
    else send({ id: data.id, error: { code: METHOD_NOT_FOUND, message: 'Method not found' } })
  })
  return (method: string, params: object): Promise<unknown> => {
    const id = ++lastId
    const answer = Promise.withResolvers<unknown>()
    pending.set(id, answer)
    send({ id, method, params: params as Record<string, unknown> })
    return answer.promise
  }
}

/** A host may send anything. A message of another form is ignored. */
const isMessage = (data: unknown): data is Message => {
  const { jsonrpc, method = '', params = {} } = (data ?? {}) as Partial<Message>
  const hasParams = typeof params === 'object' && params !== null
  return jsonrpc === '2.0' && typeof method === 'string' && hasParams
}

const settle = (
  pending: Map<number, PromiseWithResolvers<unknown>>,
  { id, result, error }: Message,
): void => {
  const answer = pending.get(Number(id))
  pending.delete(Number(id))
  if (error) answer?.reject(new Error(String(error.message ?? 'The call failed.')))
  else answer?.resolve(result ?? {})
}

const notify = (events: HostEvents, { method, params = {} }: Message): void => {
  const name = method?.replace('ui/notifications/', '')
  if (name === 'tool-input') events.onInput((params.arguments ?? {}) as Record<string, unknown>)
  if (name === 'tool-result') events.onResult(params as ToolResult)
  if (name === 'tool-cancelled') events.onCancel()
  if (name === 'host-context-changed') events.onContext(params)
}

/** The host makes the frame as high as the page. */
const reportSize = (): void => {
  const root = document.documentElement
  const report = () =>
    send({
      method: 'ui/notifications/size-changed',
      params: { height: Math.ceil(root.getBoundingClientRect().height) },
    })
  new ResizeObserver(report).observe(root)
}
