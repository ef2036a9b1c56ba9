import { describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDatabase } from '../harness/database.ts'
import { newVerifiedUser, runSql } from '../harness/http.ts'
import { canMount, mountSmall, run } from '../harness/mount.ts'
import { newUser, request, startServer, type TestServer, useServer } from '../harness/server.ts'

// Each test has its own server, because it removes the storage.
useServer()

const ready = async (server: TestServer) => {
  const { status, body } = await request(server, 'GET', '/api/ready')
  return [status, body.detail ?? body.status]
}
describe.if(canMount)('a full disk below the data directory', () => {
  for (const name of ['blobs', 'outbox'])
    test(`the server is not ready while the disk is full, and ready again when there is space: ${name}`, async () => {
      const dataDir = mkdtempSync(join(tmpdir(), 'svc-full-'))
      using _ = mountSmall(join(dataDir, name), '1m')
      await using server = await startServer({ SVC_DATA_DIR: dataDir })
      expect(await ready(server)).toEqual([200, 'ready'])
      const filler = join(dataDir, name, 'filler')
      run('dd', 'if=/dev/zero', `of=${filler}`, 'bs=64k', 'count=100')
      expect(await ready(server)).toEqual([503, 'Not ready: writes fail (the disk is full)'])
      expect(server.log.join('')).toContain('the disk is full')
      expect((await request(server, 'GET', '/api/health')).status).toBe(200)
      rmSync(filler)
      expect(await ready(server)).toEqual([200, 'ready'])
    })

  test('an upload to a full disk reports the cause', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'svc-full-'))
    using _ = mountSmall(join(dataDir, 'blobs'), '256k')
    await using server = await startServer({ SVC_DATA_DIR: dataDir })
    const user = await newVerifiedUser(server)
    const upload = async () => {
      const body = new FormData()
      body.append('file', new File(['a line of text\n'.repeat(50_000)], 'notes.txt'))
      const headers = { authorization: `Bearer ${user.key}` }
      const url = new URL('/api/files', server.url)
      const answer = await fetch(url, { method: 'POST', body, headers })
      return [answer.status, ((await answer.json()) as { detail?: string }).detail]
    }
    expect(await upload()).toEqual([503, 'Writes fail: the disk is full'])
    run('mount', '-o', 'remount,size=8m', join(dataDir, 'blobs'))
    expect(await upload()).toEqual([201, undefined])
    expect(await ready(server)).toEqual([200, 'ready'])
  })
})

const UNAVAILABLE = 'The database is not available; try again'

describe('a read-only database', () => {
  test('writes and readiness report it, reads succeed, and the server recovers without a restart', async () => {
    const database = await createDatabase()
    const name = new URL(database.env.SVC_DATABASE_URL ?? '').pathname.slice(1)
    const setReadOnly = (value: 'on' | 'off') =>
      runSql(
        database,
        'set default_transaction_read_only = off',
        `alter database "${name}" set default_transaction_read_only = ${value}`,
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = '${name}' and pid <> pg_backend_pid() and backend_type = 'client backend'`,
      )
    const server = await startServer({}, database)
    try {
      const { key } = await newUser(server)
      const write = async () => {
        const body = { content: `Noted at ${crypto.randomUUID()}.` }
        const answer = await request(server, 'POST', '/api/remember', { token: key, body })
        return [answer.status, answer.body.detail]
      }
      expect((await write())[0]).toBe(201)
      await setReadOnly('on')
      // A cut connection is one failure, before the database refuses the write.
      let refused = await write()
      for (let attempt = 0; attempt < 20 && refused[1] === UNAVAILABLE; attempt++)
        refused = await write()
      expect(refused).toEqual([503, 'Writes fail: the database is read-only'])
      expect(await ready(server)).toEqual([
        503,
        'Not ready: writes fail (the database is read-only)',
      ])
      expect((await request(server, 'GET', '/api/memories', { token: key })).status).toBe(200)
      expect(server.log.join('')).toContain('the database is read-only')
      await setReadOnly('off')
      let state = await ready(server)
      for (let attempt = 0; attempt < 20 && state[0] !== 200; attempt++) state = await ready(server)
      expect(state).toEqual([200, 'ready'])
      expect((await write())[0]).toBe(201)
    } finally {
      await server.stop()
      await database.drop()
    }
  })
})
