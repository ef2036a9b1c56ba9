import { expect, setDefaultTimeout, test } from 'bun:test'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createDatabase } from '../harness/database.ts'
import { linkIn, parseMail, startMailbox, tokenIn } from '../harness/mail.ts'
import { quietPort } from '../harness/ports.ts'
import { spawnServer } from '../harness/process.ts'
import { newUser, request, startServer } from '../harness/server.ts'

// A retry follows a failure after seconds, and creating a first database takes seconds too.
setDefaultTimeout(120_000)

const resend = (server: { url: string }, token: string) =>
  request(server, 'POST', '/api/auth/resend-verification', { token })
const verify = (server: { url: string }, token: string) =>
  request(server, 'POST', '/api/auth/verify-email', { body: { token } })

test('an email has one recipient, the configured sender, and equal text and HTML parts', async () => {
  await using mailbox = await startMailbox()
  await using server = await startServer({
    SVC_SMTP_URL: mailbox.url,
    SVC_MAIL_FROM: 'The Library <library@example.org>',
  })
  const user = await newUser(server)
  const mail = await mailbox.next(user.email)
  expect([mail.from, mail.to]).toEqual(['library@example.org', [user.email]])
  expect(Object.fromEntries(mail.headers)).toMatchObject({
    from: 'The Library <library@example.org>',
    to: user.email,
    subject: 'Confirm your email address',
    'message-id': expect.stringMatching(/^<[\w-]{36}@example\.org>$/),
  })
  const { href } = linkIn(mail)
  for (const words of [
    `please confirm that ${user.email} is your email address`,
    'expires after 24 hours',
    href,
  ]) {
    expect(mail.text).toContain(words)
    expect(mail.html).toContain(words)
  }
  expect(mail.text).not.toContain('<')
})

test('without SMTP, emails are files that the operator reads outside the log', async () => {
  await using server = await startServer()
  const outbox = join(server.database.env.SVC_DATA_DIR, 'outbox')
  const user = await newUser(server)
  const notice = await server.noticed(new RegExp(`^Mail to ${user.email} `))
  const [name = ''] = readdirSync(outbox)
  expect(name).toEndWith('.eml')
  expect(statSync(join(outbox, name)).mode & 0o777).toBe(0o600)
  expect(statSync(outbox).mode & 0o777).toBe(0o700)
  const mail = parseMail(await Bun.file(join(outbox, name)).text())
  expect(mail.headers.get('to')).toBe(user.email)
  const token = tokenIn(mail)
  expect((await verify(server, token)).status).toBe(200)
  expect(notice).toContain(linkIn(mail).href)
  expect(server.log.join('')).not.toContain(token)
})

test('emails wait while the mail server is down, survive a kill -9, and arrive once', async () => {
  const port = await quietPort()
  const database = await createDatabase()
  const env = { ...database.env, SVC_SMTP_URL: `smtp://127.0.0.1:${port}` }
  await using first = spawnServer(env)
  const user = await newUser({ url: await first.url })
  first.child.kill('SIGKILL')
  await first.child.exited

  await using second = spawnServer(env)
  const url = await second.url
  await using mailbox = await startMailbox(port)
  const mail = await mailbox.next(user.email)
  expect((await verify({ url }, tokenIn(mail))).status).toBe(200)

  // The next email is sent after the first: a duplicate has arrived by then.
  const other = await newUser({ url })
  await mailbox.next(other.email)
  expect(mailbox.mails.map(({ to }) => to)).toEqual([[user.email], [other.email]])
  second.child.kill('SIGTERM')
  await second.result()
  await database.drop()
})

test('a delivered email is not sent again after a kill -9', async () => {
  await using mailbox = await startMailbox()
  const database = await createDatabase()
  const env = { ...database.env, SVC_SMTP_URL: mailbox.url }
  await using first = spawnServer(env)
  const user = await newUser({ url: await first.url })
  await mailbox.next(user.email)
  // Emails are sent one after the other: when this one arrives, the one before is done.
  const next = await newUser({ url: await first.url })
  await mailbox.next(next.email)
  first.child.kill('SIGKILL')
  await first.child.exited

  await using second = spawnServer(env)
  const last = await newUser({ url: await second.url })
  await mailbox.next(last.email)
  expect(mailbox.mails.filter(({ to }) => to.includes(user.email))).toHaveLength(1)
  second.child.kill('SIGTERM')
  await second.result()
  await database.drop()
})

test('an email whose sending a kill -9 interrupts is sent by the next server', async () => {
  const begun = Promise.withResolvers<void>()
  const database = await createDatabase()
  const env = (url: string) => ({ ...database.env, SVC_SMTP_URL: url })
  const deaf = await startMailbox(0, { onRcptTo: () => begun.resolve() })
  await using first = spawnServer(env(deaf.url))
  const user = await newUser({ url: await first.url })
  await begun.promise
  first.child.kill('SIGKILL')
  await first.child.exited
  await deaf[Symbol.asyncDispose]()

  await using mailbox = await startMailbox()
  await using second = spawnServer(env(mailbox.url))
  const url = await second.url
  expect((await verify({ url }, tokenIn(await mailbox.next(user.email)))).status).toBe(200)
  second.child.kill('SIGTERM')
  await second.result()
  await database.drop()
})

test('an email that the mail server refuses temporarily is sent again', async () => {
  let tries = 0
  await using mailbox = await startMailbox(0, {
    onRcptTo: (_address, _session, done) => {
      tries += 1
      if (tries > 1) return done()
      done(Object.assign(new Error('Greylisted, try again later'), { responseCode: 451 }))
    },
  })
  await using server = await startServer({ SVC_SMTP_URL: mailbox.url })
  const user = await newUser(server)
  const mail = await mailbox.next(user.email)
  expect(tries).toBe(2)
  expect((await verify(server, tokenIn(mail))).status).toBe(200)
})

test('an email that is refused permanently is dropped, and later emails are sent', async () => {
  let refusals = 0
  await using mailbox = await startMailbox(0, {
    onRcptTo: ({ address }, _session, done) =>
      address.startsWith('refused') && ++refusals
        ? done(Object.assign(new Error('No such user'), { responseCode: 550 }))
        : done(),
  })
  await using server = await startServer({ SVC_SMTP_URL: mailbox.url })
  const email = `refused-${crypto.randomUUID()}@example.com`
  const password = crypto.randomUUID()
  await request(server, 'POST', '/api/auth/signup', {
    body: { email, password, confirm_password: password },
  })
  const user = await newUser(server)
  await mailbox.next(user.email)
  await resend(server, user.accessToken)
  await mailbox.next(user.email)
  expect(mailbox.mails.every(({ to }) => to.length === 1 && to[0] === user.email)).toBe(true)
  expect(refusals).toBe(1)
  expect(server.log.join('')).toContain('job failed; it was abandoned')
})
