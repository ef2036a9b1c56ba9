import { expect, test } from 'bun:test'
import { join } from 'node:path'

const REPORT = {
  dry_run: false,
  imported: 1,
  existing: 0,
  failed_count: 0,
  failed: [],
  skipped_identities: 0,
  skipped_factors: 0,
}

test('an import takes longer than Bun waits for a response', async () => {
  const timedOut = Promise.withResolvers<void>()
  await using server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      if (request.method === 'GET') {
        request.signal.addEventListener('abort', () => timedOut.resolve())
        return new Promise<Response>(() => {})
      }
      await request.text()
      // Bun has ended the request that was sent later.
      await timedOut.promise
      return Response.json(REPORT)
    },
  })
  const child = Bun.spawn(
    [process.execPath, join(import.meta.dir, 'slow-import.ts'), server.url.href],
    {
      env: { ...process.env, BUN_CONFIG_HTTP_IDLE_TIMEOUT: '1' },
      stdout: 'pipe',
    },
  )
  const [text] = await Promise.all([new Response(child.stdout).text(), child.exited])
  expect(JSON.parse(text)).toEqual({ other: 'ended', report: REPORT })
}, 120_000)
