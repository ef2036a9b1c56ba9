import { expect, test } from 'bun:test'
import { createServer, connect as dial, type Socket } from 'node:net'
import { openPostgres } from '../../server/platform/db/postgres.ts'
import { createDatabase } from '../harness/database.ts'

/** Calls `onMessage` for each message of the PostgreSQL protocol, and forwards what it returns. */
const forward = (
  from: Socket,
  to: Socket,
  /** The first message of a client has no type. */
  isTyped: boolean,
  onMessage: (type: string, body: Buffer) => Buffer,
) => {
  let received = Buffer.alloc(0)
  let offset = isTyped ? 1 : 0
  from
    .on('data', (bytes: Buffer) => {
      received = Buffer.concat([received, bytes])
      while (received.length >= offset + 4) {
        const length = offset + received.readUInt32BE(offset)
        if (received.length < length) return
        const type = received.subarray(0, offset)
        const body = onMessage(type.toString(), received.subarray(offset + 4, length))
        const size = Buffer.alloc(4)
        size.writeUInt32BE(body.length + 4)
        to.write(Buffer.concat([type, size, body]))
        received = received.subarray(length)
        offset = 1
      }
    })
    .on('close', () => to.destroy())
    .on('error', () => {})
}

/** The part of a message before the name of a statement. */
const PLACES: Record<string, RegExp> = {
  P: /^/,
  B: /^[^\0]*\0/,
  D: /^S/,
  C: /^S/,
}

/** Names statements by itself, as PgBouncer does with `max_prepared_statements`. */
const startPooler = async (url: string) => {
  const { port, hostname } = new URL(url)
  const startups: string[] = []
  const server = createServer((client) => {
    const upstream = dial(Number(port || 5432), hostname)
    forward(client, upstream, false, (type, body) => {
      if (type === '') startups.push(body.toString())
      const start = PLACES[type]?.exec(body.toString('latin1'))?.[0].length
      // An unnamed statement has no name to replace.
      if (start === undefined || body[start] === 0) return body
      return Buffer.concat([body.subarray(0, start), Buffer.from('POOLER_'), body.subarray(start)])
    })
    forward(upstream, client, true, (type, body) =>
      type === 'K' ? Buffer.concat([Buffer.from([0x7f]), body.subarray(1)]) : body,
    )
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const ownUrl = new URL(url)
  ownUrl.host = `127.0.0.1:${(server.address() as { port: number }).port}`
  return { url: ownUrl.href, startups, [Symbol.dispose]: () => server.close() }
}

test('a pooler that keeps prepared statements gets them, and no settings of the session', async () => {
  const { env, drop } = await createDatabase()
  using pooler = await startPooler(env.SVC_DATABASE_URL)
  const database = await openPostgres(pooler.url)
  try {
    const names = `select name, $1::text as mark from pg_prepared_statements where statement like '%mark%'`
    expect(await database.query(names, ['mark'])).toEqual([
      { name: expect.stringMatching(/^POOLER_/), mark: 'mark' },
    ])
    const mode = await database.query(`select current_setting('plan_cache_mode') as mode`, [])
    expect(mode).toEqual([{ mode: 'force_generic_plan' }])
    expect(pooler.startups.length).toBeGreaterThan(2)
    for (const startup of pooler.startups) expect(startup).not.toMatch(/jit|plan_cache_mode/)
  } finally {
    await database.close()
    await drop()
  }
})
