#!/usr/bin/env -S bun --no-env-file --config=/dev/null
// Without these options Bun would read the .env and the bunfig.toml of the current folder.
import { parseArgs } from 'node:util'
import { readConnection, readToolNames } from './config.ts'
import { parseToolNames, selectTools } from './selection.ts'
import { createMcpServer } from './server.ts'
import { inLockdown } from './stdio/connection.ts'
import { mayOnlyRead, processHost } from './stdio/host.ts'
import { serveProcess } from './stdio/serve.ts'

// Stdout carries the protocol only.
const warn = (error: Error) => {
  // The SDK describes an invalid message in about a hundred lines.
  const text = error.name === 'ZodError' ? 'ignored an invalid JSON-RPC message' : error.message
  process.stderr.write(`svc-mcp: ${text}\n`)
}

const USAGE = 'usage: mcp/main.ts [--tools recall,list,...] [--read-only] [--lockdown] [--org ID]'

try {
  const { values } = parseArgs({
    options: {
      tools: { type: 'string' },
      'read-only': { type: 'boolean' },
      lockdown: { type: 'boolean' },
      org: { type: 'string' },
    },
  })
  const names = parseToolNames(values.tools) ?? readToolNames()
  const connect = () => inLockdown(readConnection(values.org), values.lockdown)
  // An invalid selection is refused before anything is asked.
  selectTools({ names, readOnly: values['read-only'] })
  const readOnly = values['read-only'] || (await mayOnlyRead(connect))
  const tools = selectTools({ names, readOnly })
  const host = processHost(connect)
  const { stdin, stdout } = process
  const serving = { host, onerror: warn, stdin, stdout }
  await serveProcess((options) => createMcpServer(host, tools, options), serving)
} catch (error) {
  process.stderr.write(`svc-mcp: ${error instanceof Error ? error.message : error}\n${USAGE}\n`)
  process.exitCode = 2
}
