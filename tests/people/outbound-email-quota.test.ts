import { expect, setDefaultTimeout, test } from 'bun:test'
import { type Mailbox, newMailedUser, startMailbox } from '../harness/mail.ts'
import { request, startServer, type TestServer, type TestUser } from '../harness/server.ts'
import { addresses, sendEmail, threadsOf } from './outbound-email-support.ts'

setDefaultTimeout(60_000)

/** Emails a month on the free tier. */
const EMAILS = 20

const usedBy = async (server: TestServer, user: TestUser) => {
  const { body } = await request(server, 'GET', '/api/billing/usage', { token: user.key })
  return body.usage.emails.used
}

const withMail = async (run: (server: TestServer, mailbox: Mailbox) => Promise<void>) => {
  await using mailbox = await startMailbox()
  await using server = await startServer({ SVC_SMTP_URL: mailbox.url })
  await run(server, mailbox)
}

const hello = (to: string[], more: object = {}) => ({
  to,
  subject: 'Hello',
  text: 'Good day',
  ...more,
})

test('fifty concurrent emails consume exactly the remaining quota', () =>
  withMail(async (server, mailbox) => {
    const sender = await newMailedUser(server, mailbox)
    const to = addresses(50)
    const answers = await Promise.all(to.map((each) => sendEmail(server, sender, hello([each]))))
    const passed = to.filter((_, i) => answers[i]?.status === 200)
    expect(passed).toHaveLength(EMAILS)
    for (const { status, body } of answers.filter(({ status }) => status !== 200))
      expect([status, body.detail]).toEqual([
        429,
        {
          error: 'quota_exceeded',
          message: expect.any(String),
          quota: { used: EMAILS, limit: EMAILS, remaining: 0 },
          current_tier: 'amnesiac',
          recommended_tier: 'awakened',
          upgrade_url: expect.any(String),
        },
      ])
    for (const each of passed) await mailbox.next(each)
    expect(mailbox.mails).toHaveLength(EMAILS + 1)
    expect(await usedBy(server, sender)).toBe(EMAILS)
  }))

test('each recipient counts as one, and a message goes to all of them or none', () =>
  withMail(async (server, mailbox) => {
    const sender = await newMailedUser(server, mailbox)
    const [first = '', ...rest] = addresses(18)
    expect(
      (await sendEmail(server, sender, hello([first, first.toUpperCase(), ...rest]))).status,
    ).toBe(200)
    expect(await usedBy(server, sender)).toBe(18)
    for (const [body, status] of [
      [hello(addresses(3)), 429],
      [
        hello(addresses(3), { reply_to_thread: (await threadsOf(server, sender))[0].thread_id }),
        429,
      ],
      [hello(addresses(1), { reply_to_thread: crypto.randomUUID() }), 404],
      [hello([...addresses(1), 'no-address']), 422],
    ] as const)
      expect((await sendEmail(server, sender, body)).status).toBe(status)
    expect(await usedBy(server, sender)).toBe(18)
    expect(await threadsOf(server, sender)).toMatchObject([{ message_count: 1 }])
    expect((await sendEmail(server, sender, hello(addresses(2)))).status).toBe(200)
    expect(await usedBy(server, sender)).toBe(EMAILS)
  }))
