import { expect, setDefaultTimeout, test } from 'bun:test'
import { newVerifiedUser, runSql } from '../harness/http.ts'
import { newMailedUser } from '../harness/mail.ts'
import { newUser, request, startServer } from '../harness/server.ts'
import {
  addresses,
  sendEmail,
  settled,
  startDelayingMailbox,
} from '../people/outbound-email-support.ts'
import { administer, claimAdmin } from './support.ts'

setDefaultTimeout(60_000)

test('the statistics match the stored rows and the queues', async () => {
  const [held = '', refused = ''] = addresses(2)
  await using mailbox = await startDelayingMailbox(
    (address) => address === held,
    1,
    (address) => address === refused,
  )
  await using server = await startServer({ SVC_SMTP_URL: mailbox.url })
  const admin = await newMailedUser(server, mailbox)
  await claimAdmin(server, admin)
  const stats = async () =>
    (await request(server, 'GET', '/api/admin/stats', { token: admin.key })).body
  const post = async (path: string, body: object) => {
    const answer = await request(server, 'POST', path, { token: admin.key, body })
    if (answer.status >= 300) throw new Error(`${path}: ${answer.text}`)
    return answer.body
  }
  expect(await stats()).toEqual({
    users: { total: 1, verified: 1, disabled: 0, active_24h: 1, active_30d: 1 },
    sessions: 1,
    api_keys: 1,
    organizations: 0,
    memories: 0,
    messages: 0,
    emails: { queued: 0, failed: 0 },
    jobs: expect.any(Array),
    engines: expect.any(Array),
    database: { kind: 'postgres', size_bytes: expect.any(Number) },
  })

  await newUser(server)
  const idle = await newUser(server)
  await runSql(
    server.database,
    `update sessions set last_seen_at = now() - interval '2 days' where user_id = '${idle.id}'`,
    `update api_keys set last_used_at = now() - interval '2 days', expires_at = now() where user_id = '${idle.id}'`,
  )
  const out = await newUser(server)
  await administer(server, admin, 'POST', `${out.id}/disable`, { reason: 'x' })
  for (const content of ['one thing', 'another thing', 'a third thing'])
    await post('/api/remember', { content })
  const forgotten = await post('/api/remember', { content: 'soon forgotten' })
  await request(server, 'DELETE', `/api/memories/${forgotten.memory_id}`, { token: admin.key })
  await post('/api/chat', { message: 'Which things?' })
  await post('/api/orgs', { name: 'The Library' })
  await sendEmail(server, admin, { to: [refused], subject: 'x', text: 'x' })
  await settled(server, admin)
  await sendEmail(server, admin, { to: [held], subject: 'x', text: 'x' })
  await mailbox.waiting

  const after = await stats()
  expect(after).toMatchObject({
    users: { total: 4, verified: 1, disabled: 1, active_24h: 3, active_30d: 4 },
    sessions: 3,
    api_keys: 3,
    organizations: 1,
    messages: 2,
    emails: { queued: 1, failed: 1 },
  })
  expect(after.memories).toBeGreaterThanOrEqual(3)
  expect(after.jobs).toContainEqual({ kind: 'outbound-email', waiting: 0, active: 1, failed: 0 })
  expect(after.jobs.map(({ kind }: { kind: string }) => kind)).toContain('mail')
  expect(after.engines).toContainEqual({
    engine: 'graph',
    enabled: true,
    pending: expect.any(Number),
  })
  expect(after.database.size_bytes).toBeGreaterThan(1_000_000)
  mailbox.release()
})

test('the statistics include tasks of a disabled engine', async () => {
  await using server = await startServer()
  const admin = await newVerifiedUser(server)
  await claimAdmin(server, admin)
  await request(server, 'POST', '/api/admin/cognitive_engines/graph/state', {
    token: admin.key,
    body: { enabled: false, reason: 'x' },
  })
  for (const content of ['one thing', 'another thing'])
    await request(server, 'POST', '/api/remember', { token: admin.key, body: { content } })
  const { body } = await request(server, 'GET', '/api/admin/stats', { token: admin.key })
  expect(body.engines).toContainEqual({ engine: 'graph', enabled: false, pending: 2 })
  expect(body.memories).toBe(2)
})
