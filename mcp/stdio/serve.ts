import { Transform, type TransformCallback } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import {
  type McpRequestContext,
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type ServerEvent,
} from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { isGroup, watchActivity } from '../activity.ts'
import type { ToolHost } from '../host.ts'
import { refuseParams, subscribedIn, unwrapArguments } from '../message.ts'
import type { McpServerOptions } from '../server.ts'

interface Streams {
  stdin: NodeJS.ReadableStream
  stdout: NodeJS.WritableStream
}

/** The transport reads a filtered copy of stdin, so closing it must also release stdin. */
class FilteredTransport extends StdioServerTransport {
  constructor(
    readonly lines: JsonLines,
    readonly streams: Streams,
  ) {
    // The SDK names the types of the process, and uses no more than these streams have.
    super(lines as unknown as typeof process.stdin, streams.stdout as typeof process.stdout)
  }

  override async close(): Promise<void> {
    await super.close()
    this.streams.stdin.pause()
    this.lines.destroy()
  }
}

interface Serving extends Streams {
  host: ToolHost
  onerror: (error: Error) => void
}

/** Serves MCP on stdin and stdout. Invalid lines get an error response. @returns when stdin has ended. */
export const serveProcess = async (
  build: (options: McpServerOptions) => McpServer,
  { host, onerror, stdin, stdout }: Serving,
): Promise<void> => {
  const ended = new AbortController()
  const { signal } = ended
  /** The server of the connection: the last one that was made. */
  let server: McpServer | undefined
  /** The resources of a client of an older revision; undefined for others, whose filters the SDK applies. */
  let subscribed: Set<string> | undefined
  const groups = new Set<string>()
  const publish = async (event: ServerEvent) => {
    if (event.kind !== 'resource_updated') {
      if (!subscribed) server?.sendResourceListChanged()
    } else if (!subscribed || subscribed.has(event.uri))
      await server?.server.sendResourceUpdated({ uri: event.uri })
  }
  let isWatching = false
  /** Begins with the first subscription, and again with the next one after the key was refused. */
  const watch = (uris: unknown[]) => {
    for (const uri of uris) if (isGroup(uri)) groups.add(uri)
    if (isWatching) return
    isWatching = true
    const watcher = {
      signal,
      groups: () => [...groups],
      publish: (event: ServerEvent) => void publish(event).catch(onerror),
    }
    void watchActivity(host, watcher)
      .catch(onerror)
      .finally(() => {
        isWatching = false
      })
  }
  const respond = (error: object) => stdout.write(`${JSON.stringify(error)}\n`)
  const lines = stdin.pipe(new JsonLines(respond, watch))
  // Node 20, which runs this in desktop clients, has no Promise.withResolvers.
  const closed = new Promise<void>((resolve) => {
    lines.once('close', resolve)
  }).then(() => ended.abort())
  const transport = new FilteredTransport(lines, { stdin, stdout })
  const open = ({ era }: McpRequestContext) => {
    const isOlder = era === 'legacy'
    server = build({ canSubscribe: true, hasListChanged: !isOlder })
    if (isOlder) {
      subscribed = new Set()
      serveSubscribe(server, subscribed)
    }
    return server
  }
  serveStdio(open, { onerror, transport })
  await closed
}

/** Subscriptions of revisions before 2026-07-28. */
const serveSubscribe = ({ server }: McpServer, subscribed: Set<string>): void => {
  server.setRequestHandler('resources/subscribe', ({ params: { uri } }) => {
    if (!uri.startsWith('svc://')) throw new ResourceNotFoundError(uri)
    if (subscribed.size >= MAX_SUBSCRIPTIONS)
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `At most ${MAX_SUBSCRIPTIONS} subscriptions`,
      )
    subscribed.add(uri)
    return {}
  })
  server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
    subscribed.delete(uri)
    return {}
  })
}

const MAX_SUBSCRIPTIONS = 1_000

/** A longer line is passed on before its end, so that the transport's own limit closes the connection. */
const MAX_LINE_CHARS = 16 * 1024 * 1024

const PARSE_ERROR = {
  jsonrpc: '2.0',
  id: null,
  error: { code: -32_700, message: 'Parse error: the line is not valid JSON' },
}

/**
 * Passes on the lines of stdin. A line that is not JSON, which the SDK's transport drops silently, and a
 * request with parameters of a wrong type get an error response instead.
 */
class JsonLines extends Transform {
  readonly #decoder = new StringDecoder('utf8')
  #parts: string[] = []
  #length = 0

  constructor(
    readonly respond: (error: object) => void,
    readonly onListen: (uris: unknown[]) => void,
  ) {
    super()
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    const text = this.#decoder.write(chunk)
    this.#append(text)
    if (text.includes('\n')) this.#passLines()
    else if (this.#length > MAX_LINE_CHARS) this.push(this.#take())
    done()
  }

  #passLines(): void {
    const lines = this.#take().split('\n')
    this.#append(lines.pop() ?? '')
    for (const line of lines) {
      if (line.trim() === '') continue
      const received = parse(line)
      const message = unwrapArguments(received, parse)
      const refusal = message === undefined ? PARSE_ERROR : refuseParams(message)
      if (refusal) this.respond(refusal)
      else this.push(`${message === received ? line : JSON.stringify(message)}\n`)
      if (isListen(message)) this.onListen(subscribedIn(message))
    }
  }

  #append(text: string): void {
    this.#parts.push(text)
    this.#length += text.length
  }

  #take(): string {
    const text = this.#parts.join('')
    this.#parts = []
    this.#length = 0
    return text
  }
}

/** @returns undefined for a line that is not JSON. */
const parse = (line: string): unknown => {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

const isListen = (message: unknown): boolean =>
  typeof message === 'object' &&
  message !== null &&
  'method' in message &&
  (message.method === 'subscriptions/listen' || message.method === 'resources/subscribe')
