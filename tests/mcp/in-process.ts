import { PassThrough } from 'node:stream'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { pipedInput, pipedOutput, startInProcess } from '../cli/runtime.ts'
import { readLines } from './lines.ts'

interface Place {
  env: Record<string, string>
  folder: string
}

/** `svc mcp run` in this process, which starts in a tenth of the processor time of a process of its own. */
export const startMcp = (options: string[], place: Place) => {
  const keys = Object.assign(new PassThrough(), { setRawMode: () => {} })
  const { stream: stdout, readable } = pipedOutput()
  const { exited } = startInProcess({
    ...place,
    args: ['mcp', 'run', ...options],
    stdin: { ...pipedInput(), keys },
    stdout,
    stderr: pipedOutput().stream,
  })
  return {
    send: (...messages: object[]) => {
      for (const message of messages) keys.write(`${JSON.stringify(message)}\n`)
    },
    /** The lines of standard output. */
    lines: readLines(readable),
    async [Symbol.asyncDispose]() {
      keys.end()
      await exited
    },
  }
}

/** Its standard input and output as the transport of a client. */
export class InProcessTransport implements Transport {
  onclose?: Transport['onclose']
  onerror?: Transport['onerror']
  onmessage?: Transport['onmessage']
  #mcp: ReturnType<typeof startMcp> | undefined
  #read = Promise.resolve()

  constructor(
    readonly options: string[],
    readonly place: Place,
  ) {}

  async start(): Promise<void> {
    const mcp = startMcp(this.options, this.place)
    this.#mcp = mcp
    this.#read = this.#pass(mcp.lines)
  }

  async #pass(lines: AsyncIterable<string>): Promise<void> {
    for await (const line of lines) this.onmessage?.(JSON.parse(line))
    this.onclose?.()
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#mcp?.send(message)
  }

  async close(): Promise<void> {
    await this.#mcp?.[Symbol.asyncDispose]()
    await this.#read
  }
}
