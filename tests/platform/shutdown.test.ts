import { expect, test } from 'bun:test'
import { createServer, connect as dial } from 'node:net'
import { createDatabase } from '../harness/database.ts'
import { spawnServer } from '../harness/process.ts'

/** A PostgreSQL proxy that stops forwarding bytes in both directions once it is frozen. */
const freezable = async (target: URL) => {
  let isFrozen = false
  const proxy = createServer((client) => {
    const upstream = dial(Number(target.port || 5432), target.hostname)
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const)
      from
        .on('data', (bytes) => {
          if (!isFrozen) to.write(bytes)
        })
        .on('close', () => to.destroy())
        .on('error', () => {})
  })
  await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening))
  const url = new URL(target)
  url.host = `127.0.0.1:${(proxy.address() as { port: number }).port}`
  return {
    url: url.href,
    freeze: () => {
      isFrozen = true
    },
    [Symbol.dispose]: () => proxy.close(),
  }
}

test('a server whose PostgreSQL stops answering still exits on SIGTERM', async () => {
  const database = await createDatabase()
  using postgres = await freezable(new URL(database.env.SVC_DATABASE_URL))
  await using server = spawnServer({ ...database.env, SVC_DATABASE_URL: postgres.url })
  await server.url
  postgres.freeze()
  server.child.kill('SIGTERM')
  const { code } = await server.result()
  expect(code).toBe(0)
  await database.drop()
}, 120_000)
