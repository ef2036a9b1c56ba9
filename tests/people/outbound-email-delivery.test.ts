import { expect, setDefaultTimeout, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createDatabase } from '../harness/database.ts'
import { newVerifiedUser, runSql } from '../harness/http.ts'
import { newMailedUser, type ReceivedMail, startMailbox } from '../harness/mail.ts'
import { spawnServer } from '../harness/process.ts'
import { PASSWORD, request, startServer } from '../harness/server.ts'
import {
  addresses,
  sendEmail,
  settled,
  startDelayingMailbox,
  threadOf,
  threadsOf,
} from './outbound-email-support.ts'

// Failed jobs are retried after seconds, jobs of a killed server after half a minute.
setDefaultTimeout(120_000)

/** Concurrent deliveries. */
const AT_ONCE = 2

const hello = (to: string[]) => ({ to, subject: 'Hello', text: 'Good day' })

test('emails queued on a killed server are each sent once by the next, and with the same Message-ID where their acceptance was missed', async () => {
  const to = addresses(8)
  const isReader = (address: string) => to.includes(address)
  const idOf = ({ headers }: Pick<ReceivedMail, 'headers'>) => headers.get('message-id') ?? ''
  let accepted = 0
  /** The Message-IDs of the emails that were received and not accepted in time, by recipient. */
  const missed = new Map<string, string>()
  const waiting = Promise.withResolvers<void>()
  await using before = await startMailbox(0, {
    judge(address = '', mail) {
      if (!isReader(address) || ++accepted <= 3) return undefined
      missed.set(address, idOf(mail))
      if (missed.size === AT_ONCE) waiting.resolve()
      return new Promise(() => {})
    },
  })
  const database = await createDatabase()
  const env = (url: string) => ({ ...database.env, SVC_SMTP_URL: url })
  await using first = spawnServer(env(before.url))
  const url = await first.url
  const sender = await newMailedUser({ url }, before)
  expect((await sendEmail({ url }, sender, hello(to))).status).toBe(200)
  await waiting.promise
  first.child.kill('SIGKILL')
  await first.child.exited

  await using after = await startMailbox()
  await using second = spawnServer(env(after.url))
  const there = { url: await second.url }
  const reached = before.mails.flatMap((mail) => mail.to).filter(isReader)
  for (const address of to)
    if (!reached.includes(address)) {
      const id = idOf(await after.next(address))
      expect([address, id]).toEqual([address, missed.get(address) ?? id])
    }
  expect(await settled(there, sender)).toMatchObject({ sent: 8, queued: 0, failed: 0 })
  const arrived = [...before.mails, ...after.mails].flatMap((mail) => mail.to).filter(isReader)
  expect(arrived.toSorted()).toEqual(to.toSorted())
  expect([...missed.values()].filter(Boolean)).toHaveLength(AT_ONCE)
  second.child.kill('SIGTERM')
  await second.result()
  await database.drop()
})

test('a permanent rejection fails with the reply of the mail server; a temporary one is retried', async () => {
  const [good = '', refused = '', late = ''] = addresses(3)
  const tries = new Map<string, number>()
  let isLater = false
  await using mailbox = await startMailbox(0, {
    onRcptTo: ({ address }, _session, done) => {
      tries.set(address, (tries.get(address) ?? 0) + 1)
      const reply = (message: string, responseCode: number) =>
        done(Object.assign(new Error(message), { responseCode }))
      if (address === refused) return reply('No such person here', 550)
      if (address === late && !isLater) return reply('Later, please', 451)
      done()
    },
  })
  await using server = await startServer({ SVC_SMTP_URL: mailbox.url })
  const sender = await newMailedUser(server, mailbox)
  await sendEmail(server, sender, hello([refused, late, good]))
  await mailbox.next(good)
  const waiting = await threadOf(server, sender)
  expect(waiting.messages[0].recipients[1]).toMatchObject({
    address: late,
    state: 'queued',
    reason: null,
  })
  isLater = true
  await mailbox.next(late)
  const thread = await settled(server, sender)
  expect(thread).toMatchObject({ sent: 2, failed: 1, queued: 0 })
  expect(thread.messages[0].recipients).toMatchObject([
    { address: refused, state: 'failed', reason: '550 No such person here' },
    { address: late, state: 'sent', reason: null },
    { address: good, state: 'sent', reason: null },
  ])
  expect([tries.get(refused), tries.get(good)]).toEqual([1, 1])
  expect(tries.get(late)).toBeGreaterThan(1)

  await sendEmail(server, sender, { ...hello([refused, good]), reply_to_thread: thread.thread_id })
  const reply = await mailbox.next(good, 'Re: Hello')
  expect(reply.headers.has('in-reply-to')).toBe(true)
  expect(server.log.join('')).not.toContain('Good day')
})

const refusal = (message: string, responseCode: number) =>
  Object.assign(new Error(message), { responseCode })

test('many emails share few connections, each with its own envelope and outcome', async () => {
  const [unknown = '', unwanted = '', ...good] = addresses(20)
  const tries = new Map<string, number>()
  await using mailbox = await startMailbox(0, {
    onRcptTo: ({ address }, _session, done) => {
      tries.set(address, (tries.get(address) ?? 0) + 1)
      done(address === unknown ? refusal('No such person here', 550) : undefined)
    },
    judge: (to) => (to === unwanted ? refusal('Not what we want to read', 554) : undefined),
  })
  await using server = await startServer({ SVC_SMTP_URL: mailbox.url })
  const sender = await newMailedUser(server, mailbox)
  const to = [unknown, ...good.slice(0, 9), unwanted, ...good.slice(9)]
  await sendEmail(server, sender, hello(to))
  const thread = await settled(server, sender)
  expect(thread).toMatchObject({ sent: 18, failed: 2 })
  const { recipients } = thread.messages[0]
  expect(recipients[0]).toMatchObject({ state: 'failed', reason: '550 No such person here' })
  expect(recipients[10]).toMatchObject({ state: 'failed', reason: '554 Not what we want to read' })
  expect([...tries.values()]).toEqual(Array(21).fill(1))
  const arrived = mailbox.mails.slice(1).map((mail) => mail.to)
  expect(arrived.toSorted()).toEqual(good.map((address) => [address]).toSorted())
  // The emails of the test, and the verification email of the sender.
  expect(mailbox.connections()).toBeLessThanOrEqual(AT_ONCE + 1)
})

test('a connection closed between two emails loses and duplicates none', async () => {
  const to = addresses(12)
  await using mailbox = await startMailbox(0, {
    // Accepted, then disconnected: a client notices at once or with the next email.
    judge: (address) => {
      if (to.indexOf(address ?? '') % 3 === 0) setImmediate(mailbox.hangUp)
      return undefined
    },
  })
  await using server = await startServer({ SVC_SMTP_URL: mailbox.url })
  const sender = await newMailedUser(server, mailbox)
  await sendEmail(server, sender, hello(to.slice(0, 10)))
  expect(await settled(server, sender)).toMatchObject({ sent: 10, failed: 0 })
  for (const last of to.slice(10)) {
    mailbox.hangUp()
    await sendEmail(server, sender, hello([last]))
    expect(await settled(server, sender)).toMatchObject({ sent: 1, failed: 0 })
  }
  const arrived = mailbox.mails.slice(1).flatMap((mail) => mail.to)
  expect(arrived.toSorted()).toEqual(to.toSorted())
})

test('a stopping server finishes the email in transit and closes its connection', async () => {
  const [to = ''] = addresses(1)
  await using mailbox = await startDelayingMailbox((address) => address === to, 1)
  const database = await createDatabase()
  const start = () => startServer({ SVC_SMTP_URL: mailbox.url }, database)
  await using first = await start()
  const sender = await newMailedUser(first, mailbox)
  await sendEmail(first, sender, hello([to]))
  await mailbox.waiting
  const stopped = first.stop()
  mailbox.release()
  await stopped
  expect(mailbox.mails.map((mail) => mail.to)).toEqual([[sender.email], [to]])

  await using second = await start()
  expect(await settled(second, sender)).toMatchObject({ sent: 1 })
  expect(mailbox.mails).toHaveLength(2)
  await second.stop()
  await database.drop()
})

test('two servers on one database send each email once', async () => {
  const halves = [addresses(10), addresses(10)]
  await using mailbox = await startMailbox()
  const env = { SVC_SMTP_URL: mailbox.url }
  await using one = await startServer(env)
  const sender = await newMailedUser(one, mailbox)
  await using two = await startServer(env, one.database)
  const answers = await Promise.all([
    sendEmail(one, sender, hello(halves[0] ?? [])),
    sendEmail(two, sender, hello(halves[1] ?? [])),
  ])
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  for (const address of halves.flat()) await mailbox.next(address)
  for (const { thread_id } of await threadsOf(two, sender))
    expect(await settled(two, sender, thread_id)).toMatchObject({ sent: 10, failed: 0 })
  expect(mailbox.mails).toHaveLength(21)
})

test('deleting the sender’s account discards queued emails', async () => {
  const to = addresses(6)
  await using mailbox = await startDelayingMailbox((address) => to.includes(address), AT_ONCE)
  const database = await createDatabase()
  await using server = await startServer({ SVC_SMTP_URL: mailbox.url }, database)
  const [leaving, staying] = [
    await newMailedUser(server, mailbox),
    await newMailedUser(server, mailbox),
  ]
  await sendEmail(server, leaving, hello(to))
  await mailbox.waiting
  const deleted = await request(server, 'DELETE', '/api/auth/delete-account', {
    token: leaving.accessToken,
    body: { password: PASSWORD },
  })
  expect(deleted.status).toBe(200)
  mailbox.release()
  // Emails are sent in the order in which they were queued: these come after the discarded ones.
  for (const last of addresses(2 * AT_ONCE)) {
    await sendEmail(server, staying, hello([last]))
    await mailbox.next(last)
  }
  const reached = mailbox.mails.flatMap((mail) => mail.to).filter((each) => to.includes(each))
  expect(reached.length).toBeLessThanOrEqual(AT_ONCE)
  await server.stop()
  const names = (table: string, id: string) =>
    `select t::text from ${table} t where position('${id}' in t::text) > 0`
  for (const table of ['jobs.job', 'email_threads', 'email_messages', 'email_recipients'])
    expect([table, await runSql(database, names(table, leaving.id))]).toEqual([table, []])
  expect(await runSql(database, names('email_recipients', staying.id))).toHaveLength(2 * AT_ONCE)
  await database.drop()
})

test('without a mail server an email becomes a file, and its text is not logged', async () => {
  await using server = await startServer()
  const sender = await newVerifiedUser(server)
  const outbox = join(server.database.env.SVC_DATA_DIR, 'outbox')
  const [to = ''] = addresses(1)
  await sendEmail(server, sender, { ...hello([to]), text: 'between the two of us' })
  const notice = await server.noticed(new RegExp(`^Mail to ${to} `))
  expect(notice).not.toContain('between the two of us')
  const name = readdirSync(outbox).find((file) => notice.includes(file)) ?? ''
  const source = await Bun.file(join(outbox, name)).text()
  expect(source).toContain('between the two of us')
  expect(await settled(server, sender)).toMatchObject({ sent: 1 })
})
