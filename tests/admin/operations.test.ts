import { beforeAll, describe, expect, test } from 'bun:test'
import { ISO, newVerifiedUser, runSql, UUID } from '../harness/http.ts'
import { newUser, request, type TestUser, useServer } from '../harness/server.ts'
import { administer, claimAdmin } from './support.ts'

const server = useServer()
let admin: TestUser

beforeAll(async () => {
  admin = await newVerifiedUser(server.current)
  await claimAdmin(server.current, admin)
})

const read = (path: string) =>
  request(server.current, 'GET', `/api/admin/${path}`, { token: admin.key })

describe('queues', () => {
  test('waiting, overdue and failed jobs are listed by kind, with the last error', async () => {
    await runSql(
      server.current.database,
      `insert into jobs.job (name, data, state, start_after)
        values ('mail', '{}', 'retry', now() + interval '1 hour')`,
      `insert into jobs.job (name, data, state, start_after, completed_on, retry_count, output)
        values ('mail', '{}', 'failed', now(), now(), 100, '{"message": "Connection refused"}')`,
      // A kind without a worker: another job would be started.
      `select jobs.create_queue('abandoned', '{"policy": "standard"}')`,
      `insert into jobs.job (name, data, state, start_after)
        values ('abandoned', '{}', 'created', '2026-01-02T03:04:05.678Z')`,
    )
    const { status, body } = await read('queues')
    expect(status).toBe(200)
    expect(body.jobs).toContainEqual({
      kind: 'mail',
      waiting: 1,
      active: 0,
      failed: 1,
      oldest_due_at: null,
    })
    expect(body.jobs).toContainEqual({
      kind: 'abandoned',
      waiting: 1,
      active: 0,
      failed: 0,
      oldest_due_at: '2026-01-02T03:04:05.678Z',
    })
    expect(body.failed_jobs).toEqual([
      { kind: 'mail', failed_at: ISO, attempts: 101, error: 'Connection refused' },
    ])
    expect(body.outbox).toEqual({ queued: 0, failed: 0, oldest_queued_at: null, failures: [] })
  })

  test('emails that could not be delivered are listed with domain and reason, without address', async () => {
    await runSql(
      server.current.database,
      `insert into email_threads (user_id, thread_id, subject, message_count)
        values ('${admin.id}', '${admin.id}', 'x', 1)`,
      `insert into email_messages (user_id, thread_id, message_id, subject, text)
        values ('${admin.id}', '${admin.id}', '${admin.id}', 'x', 'x')`,
      `insert into email_recipients (user_id, thread_id, message_id, position, address, mail_id, state, reason)
        values ('${admin.id}', '${admin.id}', '${admin.id}', 0, 'ada@example.com', 'a', 'failed', 'No such user'),
          ('${admin.id}', '${admin.id}', '${admin.id}', 1, 'bob@example.com', 'b', 'queued', null)`,
    )
    const { body } = await read('queues')
    expect(body.outbox).toEqual({
      queued: 1,
      failed: 1,
      oldest_queued_at: ISO,
      failures: [{ domain: 'example.com', reason: 'No such user', failed_at: ISO }],
    })
  })
})

describe('history', () => {
  test('each day has its new users, sign-ins, memories and messages', async () => {
    const today = async () => (await read('history?days=7')).body.days.at(-1)
    const before = await today()
    const user = await newVerifiedUser(server.current)
    for (const content of ['one thing', 'another thing'])
      await request(server.current, 'POST', '/api/remember', {
        token: user.key,
        body: { content },
      })
    await request(server.current, 'POST', '/api/chat', {
      token: user.key,
      body: { message: 'Which things?' },
    })
    const after = await today()
    expect(after.users).toBe(before.users + 1)
    expect(after.sign_ins).toBe(before.sign_ins + 1)
    expect(after.memories).toBeGreaterThanOrEqual(before.memories + 2)
    expect(after.messages).toBe(before.messages + 2)
  })

  test('the days are complete and end today', async () => {
    const { body } = await read('history')
    const days = body.days.map(({ day }: { day: string }) => day)
    expect(days).toHaveLength(30)
    expect(days.at(-1)).toBe(new Date().toISOString().slice(0, 10))
    expect(days).toEqual(days.toSorted())
    for (const query of ['days=6', 'days=91', 'days=x'])
      expect((await read(`history?${query}`)).status).toBe(422)
  })
})

describe('audit events of all users', () => {
  test('a filter by user and action finds the events of that user, in pages', async () => {
    const user = await newUser(server.current)
    await administer(server.current, admin, 'POST', `${user.id}/disable`, { reason: 'Too loud' })
    const { status, body } = await read(`audit?user_id=${user.id}&action=user`)
    expect([status, body.next_cursor]).toEqual([200, null])
    expect(body.entries).toEqual([
      {
        id: UUID,
        user_id: user.id,
        email: user.email,
        action: 'user.disabled',
        subject: null,
        ip: null,
        details: { reason: 'Too loud' },
        created_at: ISO,
      },
      expect.objectContaining({ action: 'user.signed_up' }),
    ])

    const actions: string[] = []
    for (let cursor = ''; ; ) {
      const page = (await read(`audit?user_id=${user.id}&limit=1${cursor}`)).body
      actions.push(...page.entries.map(({ action }: { action: string }) => action))
      if (!page.next_cursor) break
      cursor = `&cursor=${page.next_cursor}`
    }
    expect(actions).toEqual(['user.disabled', 'key.created', 'session.started', 'user.signed_up'])
    const all = (await read('audit?action=user.disabled')).body.entries
    expect(all.map(({ user_id }: { user_id: string }) => user_id)).toEqual([user.id, admin.id])
    for (const action of ['nothing', 'use'])
      expect((await read(`audit?action=${action}`)).body).toEqual({
        entries: [],
        next_cursor: null,
      })
  })

  test('the events of a time are exported, all of those that match', async () => {
    const user = await newUser(server.current)
    const since = new Date().toISOString()
    await administer(server.current, admin, 'POST', `${user.id}/disable`, { reason: 'Too loud' })
    const exported = async (query: string): Promise<string[]> => {
      const response = await fetch(`${server.current.baseUrl}/api/admin/audit/export?${query}`, {
        headers: { authorization: `Bearer ${admin.accessToken}` },
      })
      expect(response.headers.get('content-type')).toStartWith('application/x-ndjson')
      const lines = (await response.text()).split('\n').filter(Boolean)
      return lines.map((line) => JSON.parse(line).action)
    }
    const earlier = ['key.created', 'session.started', 'user.signed_up']
    expect(await exported(`user_id=${user.id}`)).toEqual(['user.disabled', ...earlier])
    expect(await exported(`user_id=${user.id}&since=${since}`)).toEqual(['user.disabled'])
    expect(await exported(`user_id=${user.id}&until=${since}`)).toEqual(earlier)
    expect(await exported('action=nothing')).toEqual([])
    expect((await read(`audit?user_id=${user.id}&until=${since}`)).body.entries).toHaveLength(3)
    // More than a page of the database.
    await runSql(
      server.current.database,
      `insert into audit_log (id, user_id, action)
       select gen_random_uuid(), '${user.id}', 'key.changed' from generate_series(1, 2500)`,
    )
    expect(await exported(`user_id=${user.id}&action=key.changed`)).toHaveLength(2_500)
    for (const query of ['since=yesterday', 'user_id=me'])
      expect((await read(`audit/export?${query}`)).status).toBe(422)
  })
})
