import { expect, test } from 'bun:test'
import { createDatabase } from '../harness/database.ts'
import { newUser, startServer } from '../harness/server.ts'

const SIGN_UPS = 40

test('as many sign-ups as connections, right after the first start, are all answered', async () => {
  const database = await createDatabase({ isEmpty: true })
  // The second server finds no queues when it starts, and the first one creates them meanwhile.
  const servers = await Promise.all([startServer({}, database), startServer({}, database)])
  try {
    const users = await Promise.all(
      Array.from({ length: SIGN_UPS }, (_, n) => newUser(servers[n % 2] ?? servers[0])),
    )
    expect(new Set(users.map(({ id }) => id)).size).toBe(SIGN_UPS)
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
    await database.drop()
  }
})
