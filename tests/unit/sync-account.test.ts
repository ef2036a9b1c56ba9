import { expect, onTestFinished, test } from 'bun:test'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readAccount } from '../../cli/sync/account.ts'
import { createClient, Unreachable } from '../../shared/client.ts'
import { memoryChanges } from '../../shared/contract/memory-lists.ts'

test('a server that freezes while it sends the memories ends the run as unreachable', async () => {
  const server = Bun.serve({
    port: 0,
    idleTimeout: 0,
    fetch: (request) =>
      new URL(request.url).pathname === memoryChanges.path
        ? Response.json({ reset: true, memories: [], deleted: [], next_cursor: '0' })
        : new Response(new ReadableStream({ start: (stream) => stream.enqueue('\n') }), {
            headers: { 'content-type': 'application/x-ndjson' },
          }),
  })
  const temporary = mkdtempSync(join(tmpdir(), 'svc-account-'))
  onTestFinished(async () => {
    rmSync(temporary, { recursive: true, force: true })
    await server.stop(true)
  })
  const read = readAccount({
    temporary,
    base: new Map(),
    cursor: undefined,
    onProgress: () => {},
    client: createClient({ baseUrl: server.url.origin }),
    signal: new AbortController().signal,
    stallMs: 50,
  })
  const error = await read.catch((cause: unknown) => cause)
  expect(error).toBeInstanceOf(Unreachable)
  expect((error as Error).message).toBe('The server stopped sending the memories')
  expect(existsSync(join(temporary, 'received.ndjson'))).toBe(false)
})
