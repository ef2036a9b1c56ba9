#!/usr/bin/env bun
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { readConnection } from './config.ts'
import { createMcpServer } from './server.ts'
import { processHost } from './stdio/host.ts'

// Standard output belongs to the protocol alone; whatever else there is to say goes to stderr.
const warn = (error: Error) => {
  // The SDK tells what a message lacks of every form there is, in a hundred lines.
  const text = error.name === 'ZodError' ? 'ignored what is not a JSON-RPC message' : error.message
  process.stderr.write(`svc-mcp: ${text}\n`)
}

serveStdio(() => createMcpServer(processHost(readConnection)), { onerror: warn })
