import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import fc from 'fast-check'
import addressparser from 'nodemailer/lib/addressparser'
import { ISO, UUID } from '../harness/http.ts'
import { type Mailbox, newMailedUser, startMailbox } from '../harness/mail.ts'
import { newUser, request, startServer, type TestServer, type TestUser } from '../harness/server.ts'
import { addresses, sendEmail, settled, threadOf, threadsOf } from './outbound-email-support.ts'

setDefaultTimeout(60_000)

let mailbox: Mailbox
let server: TestServer
let sender: TestUser
beforeAll(async () => {
  mailbox = await startMailbox()
  server = await startServer({
    SVC_SMTP_URL: mailbox.url,
    SVC_MAIL_FROM: 'The Library <library@example.org>',
    SVC_DEFAULT_TIER: 'conscious',
  })
  sender = await newMailedUser(server, mailbox)
})
afterAll(async () => {
  await server.stop()
  await mailbox[Symbol.asyncDispose]()
})

const mail = (to: string[], more: object = {}) => ({
  to,
  subject: 'Hello',
  text: 'Good day',
  ...more,
})

/** Decodes the encoded words of a header (RFC 2047), between which white space does not count. */
const decodeWords = (header: string): string =>
  header
    .replace(/(?<=\?=)\s+(?==\?)/g, '')
    .replace(/=\?[^?]+\?(b|q)\?([^?]*)\?=/gi, (_, coding, text) =>
      coding.toLowerCase() === 'b'
        ? Buffer.from(text, 'base64').toString('latin1')
        : text
            .replaceAll('_', ' ')
            .replace(/=([0-9A-F]{2})/gi, (_match: string, hex: string) =>
              String.fromCharCode(Number.parseInt(hex, 16)),
            ),
    )

/** The only headers of an email of a user. */
const HEADERS = ['from', 'to', 'reply-to', 'subject', 'message-id', 'date', 'mime-version']

const rename = (name: string) =>
  request(server, 'PUT', '/api/profile', { token: sender.key, body: { display_name: name } })

describe('sending an email', () => {
  test('each recipient receives a separate email', async () => {
    await rename('Ada')
    const [ann = '', bob = ''] = addresses(2)
    const answer = await sendEmail(server, sender, mail([ann, bob], { html: '<p>Good day</p>' }))
    expect([answer.status, answer.text]).toEqual([200, '{}'])
    for (const to of [ann, bob]) {
      const arrived = await mailbox.next(to)
      expect([arrived.from, arrived.to]).toEqual(['library@example.org', [to]])
      expect(Object.fromEntries(arrived.headers)).toMatchObject({
        from: 'Ada via The Library <library@example.org>',
        to,
        'reply-to': sender.email,
        subject: 'Hello',
        'message-id': expect.stringMatching(/^<[\w-]{36}@example\.org>$/),
      })
      expect([arrived.text.trim(), arrived.html.trim()]).toEqual(['Good day', '<p>Good day</p>'])
      expect(arrived.headers.has('in-reply-to')).toBe(false)
    }
  })

  test.each([
    '=?utf-8?q?Your_account?=',
    'Re: =?UTF-8?B?SGVsbG8=?= and more',
    '=?iso-8859-1?Q?=E9?= =?iso-8859-1?Q?=E8?=',
    'Why =? and ?= are in the text',
    `Grüße =?utf-8?q?x?= ${'und viele Wörter '.repeat(12)}🪿`,
    '=?utf-8?q?unfinished',
  ])('the recipient reads the subject %j as it was written', async (subject) => {
    const [to = ''] = addresses(1)
    await sendEmail(server, sender, mail([to], { subject }))
    const arrived = await mailbox.next(to)
    expect(arrived.headers.get('subject')).not.toContain(subject)
    const decoded = decodeWords(arrived.headers.get('subject') ?? '')
    expect(Buffer.from(decoded, 'latin1').toString()).toBe(subject)
  })

  test('a name with an encoded word is not decoded in the address of the sender', async () => {
    await rename('=?utf-8?q?Bank?=')
    const [to = ''] = addresses(1)
    await sendEmail(server, sender, mail([to]))
    expect((await mailbox.next(to)).headers.get('from')).not.toContain('=?utf-8?q?Bank?=')
    await rename('Ada')
  })

  test('a recipient listed twice receives one email', async () => {
    const [to = '', last = ''] = addresses(2)
    const twice = [to, to.toUpperCase(), to.replace('example', 'Example')]
    expect((await sendEmail(server, sender, mail([...twice, last]))).status).toBe(200)
    await mailbox.next(last)
    expect(await settled(server, sender)).toMatchObject({ sent: 2, queued: 0, failed: 0 })
    const arrived = mailbox.mails.filter((each) => each.to.includes(to))
    expect(arrived).toHaveLength(1)
  })

  test('an email has 1 to 50 recipients', async () => {
    const status = async (to: unknown) =>
      (await sendEmail(server, sender, { ...mail([]), to })).status
    const fifty = addresses(50)
    expect(await status(fifty)).toBe(200)
    expect(await status([...fifty, ...addresses(1)])).toBe(422)
    expect(await status([])).toBe(422)
    expect(await status(fifty.join(','))).toBe(422)
    for (const to of fifty) await mailbox.next(to)
    expect((await settled(server, sender)).sent).toBe(50)
  })

  test('one invalid address rejects the whole email and is named', async () => {
    const [good = ''] = addresses(1)
    const answer = await sendEmail(server, sender, mail([good, 'no address', good, 'a@b@c.com']))
    const fault = (index: number) => ({
      loc: ['body', 'to', index],
      type: 'value_error',
      msg: expect.stringContaining('one email address'),
    })
    expect([answer.status, answer.body]).toEqual([422, { detail: [fault(1), fault(3)] }])
    expect(answer.text).not.toContain('no address')
    const [to = ''] = addresses(1)
    await sendEmail(server, sender, mail([to]))
    await mailbox.next(to)
    expect(mailbox.mails.filter((each) => each.to.includes(good))).toEqual([])
  })

  test('an email requires a subject of one line and a text', async () => {
    const [to = ''] = addresses(1)
    for (const [field, value] of [
      ['subject', undefined],
      ['subject', '  '],
      ['subject', 'x'.repeat(501)],
      ['subject', 'Hello\r\nBcc: evil@example.com'],
      ['subject', 'Hello\nthere'],
      ['subject', 'Hello\rthere'],
      ['subject', 'Hello\u2028there'],
      ['subject', 'Hello\u0085there'],
      ['subject', 'Hello\0there'],
      ['text', undefined],
      ['text', ''],
      ['text', null],
      ['text', 'x'.repeat(65_537)],
      ['html', 5],
      ['reply_to_thread', 'no id'],
    ] as const) {
      const { status, body } = await sendEmail(server, sender, mail([to], { [field]: value }))
      expect([value, status, body.detail[0].loc]).toEqual([value, 422, ['body', field]])
    }
  })
})

test('a user without a verified address cannot send email', async () => {
  const newcomer = await newUser(server)
  const answer = await sendEmail(server, newcomer, mail(addresses(1)))
  expect([answer.status, answer.body.detail.error]).toEqual([403, 'email_not_verified'])
})

describe('any input', () => {
  const good = fc.emailAddress()
  const spoilt = fc
    .tuple(
      good,
      fc.constantFrom(
        '\r\nRCPT TO:<evil@example.com>',
        '\n',
        '\r',
        ',evil@example.com',
        ';evil@example.com',
        ' evil@example.com',
        '\0',
        '"',
        '<',
        '>',
        '<evil@example.com>',
        '(evil)',
        ':',
        '\\',
        '%0d%0a',
        '@',
        '..',
        '\t',
        'ı',
        '＠',
        '。',
        '\u202e',
        '\u200b',
      ),
      fc.nat(),
    )
    .map(([address, mark, at]) => {
      const cut = at % (address.length + 1)
      return address.slice(0, cut) + mark + address.slice(cut)
    })
  const odd = fc.constantFrom(
    'friends: ann@example.com, bob@example.com;',
    'Ann <ann@example.com>',
    '"ann bob"@example.com',
    '"ann@evil.com"@example.com',
    'ann@[127.0.0.1]',
    'ann@localhost',
    `${'a'.repeat(65)}@example.com`,
    `a@${'b'.repeat(64)}.com`,
    `a@${'b.'.repeat(130)}com`,
    '',
    'ann@münchen.example',
    'änn@example.com',
  )
  const address = fc.oneof(
    { weight: 3, arbitrary: good },
    spoilt,
    odd,
    fc.string({ unit: 'binary' }),
  )
  const subject = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 80 }),
    fc.constantFrom('=?utf-8?Q?Hi=0D=0ABcc:_evil@example.com?=', 'Hi\r\n\r\nbody', 'Ünïcödé 🦊'),
  )
  const text = fc.oneof(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 80 }),
    fc.constantFrom('.\r\n.\r\nQUIT\r\n', 'a\n.\nMAIL FROM:<x@example.com>\n', '\r.\r', '.'),
  )

  test('any input is rejected or reaches exactly the listed addresses without additional headers', async () => {
    const own = await newMailedUser(server, mailbox)
    const before = mailbox.mails.length
    const accepted: string[] = []
    await fc.assert(
      fc.asyncProperty(
        fc.array(address, { minLength: 1, maxLength: 3 }),
        subject,
        text,
        async (to, subject, text) => {
          const { status, body } = await sendEmail(server, own, { to, subject, text })
          if (status === 200) {
            // Domains are case-insensitive, so the server lowercases them.
            const named = to.map((each) => each.replace(/[^@]*$/, (domain) => domain.toLowerCase()))
            const thread = await threadOf(server, own)
            const queued = thread.messages[0].recipients.map(
              (each: { address: string }) => each.address,
            )
            expect(new Set(queued)).toEqual(
              new Set(
                [...Map.groupBy(named, (each) => each.toLowerCase()).values()].map(
                  ([first]) => first,
                ),
              ),
            )
            expect(thread.messages[0]).toMatchObject({ subject: subject.trim(), text })
            accepted.push(...queued)
          } else {
            expect(status).toBe(422)
            for (const { loc } of body.detail) expect(['to', 'subject', 'text']).toContain(loc[1])
          }
        },
      ),
      { numRuns: 150 },
    )
    expect(accepted.length).toBeGreaterThan(20)
    for (const to of accepted) {
      const arrived = await mailbox.next(to)
      expect(arrived.to).toEqual([to])
      expect(arrived.headers.get('to')).toBe(to)
      const extra = [...arrived.headers.keys()].filter((name) => !HEADERS.includes(name))
      expect(extra.filter((name) => !/^content-(type|transfer-encoding)$/.test(name))).toEqual([])
    }
    expect(mailbox.mails.length - before).toBe(accepted.length)
  }, 180_000)

  test('a display name never changes the address of the sender', async () => {
    for (const name of [
      'Eve", <evil@example.com>',
      'Eve <evil@example.com>, Bob',
      'Ünïcödé 🦊',
      'reversed \u202e',
      'a\u0000b\r\nBcc: evil@example.com'.replace('\u0000', '\u0001'),
    ]) {
      await rename(name)
      const [to = ''] = addresses(1)
      expect((await sendEmail(server, sender, mail([to]))).status).toBe(200)
      const { headers, from } = await mailbox.next(to)
      expect(from).toBe('library@example.org')
      const parsed = addressparser(headers.get('from') ?? '', { flatten: true })
      expect(parsed.map(({ address }) => address)).toEqual(['library@example.org'])
      expect(headers.has('bcc')).toBe(false)
    }
  })
})

describe('email threads', () => {
  test('a thread has its messages, recipients and states', async () => {
    const [ann = '', bob = ''] = addresses(2)
    await sendEmail(server, sender, mail([ann, bob], { subject: 'Notes', html: '<b>!</b>' }))
    const thread = await settled(server, sender)
    const recipient = (address: string) => ({
      address,
      state: 'sent',
      reason: null,
      updated_at: ISO,
    })
    expect(thread).toEqual({
      thread_id: UUID,
      subject: 'Notes',
      message_count: 1,
      created_at: ISO,
      last_message_at: ISO,
      queued: 0,
      sent: 2,
      failed: 0,
      messages: [
        {
          message_id: UUID,
          subject: 'Notes',
          text: 'Good day',
          html: '<b>!</b>',
          created_at: ISO,
          recipients: [recipient(ann), recipient(bob)],
        },
      ],
      next_cursor: null,
    })
    const { messages: _, next_cursor: __, ...summary } = thread
    expect((await threadsOf(server, sender))[0]).toEqual(summary)
  })

  test('a reply refers to the earlier emails of its recipient', async () => {
    const [ann = '', bob = '', eve = ''] = addresses(3)
    await sendEmail(server, sender, mail([ann, bob], { subject: 'Notes' }))
    const { thread_id } = await threadOf(server, sender)
    const reply = (to: string[], subject: string) =>
      sendEmail(server, sender, mail(to, { subject, reply_to_thread: thread_id }))
    expect((await reply([ann], 'Notes')).status).toBe(200)
    expect((await reply([ann, eve], 'RE: Notes')).status).toBe(200)

    const sentTo = async (to: string, subject: string) => (await mailbox.next(to, subject)).headers
    const first = await sentTo(ann, 'Notes')
    const second = await sentTo(ann, 'Re: Notes')
    const third = await sentTo(ann, 'RE: Notes')
    const [one, two] = [first.get('message-id'), second.get('message-id')]
    expect([first.has('references'), second.get('references'), third.get('references')]).toEqual([
      false,
      one,
      `${one} ${two}`,
    ])
    expect([second.get('in-reply-to'), third.get('in-reply-to')]).toEqual([one, two])
    const unrelated = await sentTo(eve, 'RE: Notes')
    expect([unrelated.has('in-reply-to'), unrelated.has('references')]).toEqual([false, false])

    const thread = await settled(server, sender)
    expect(thread).toMatchObject({ thread_id, subject: 'Notes', message_count: 3, sent: 5 })
    const subjects = thread.messages.map((each: { subject: string }) => each.subject)
    expect(subjects).toEqual(['RE: Notes', 'Re: Notes', 'Notes'])
  })

  test('a new message moves its thread to the top, and pages list each thread once', async () => {
    const own = await newMailedUser(server, mailbox)
    for (const subject of ['one', 'two', 'three'])
      await sendEmail(server, own, mail(addresses(1), { subject }))
    const [, , one] = await threadsOf(server, own)
    await sendEmail(server, own, mail(addresses(1), { reply_to_thread: one.thread_id }))
    const page = async (query: string) => {
      const { body } = await request(server, 'GET', `/api/email/threads?${query}`, {
        token: own.key,
      })
      return {
        subjects: body.threads.map((each: { subject: string }) => each.subject),
        next: body.next_cursor,
      }
    }
    const first = await page('limit=2')
    const second = await page(`limit=2&cursor=${first.next}`)
    expect([first.subjects, second]).toEqual([['one', 'three'], { subjects: ['two'], next: null }])

    const messages = async (query: string) => {
      const path = `/api/email/threads/${one.thread_id}?${query}`
      const { body } = await request(server, 'GET', path, { token: own.key })
      return {
        subjects: body.messages.map((each: { subject: string }) => each.subject),
        next: body.next_cursor,
      }
    }
    const newest = await messages('limit=1')
    const oldest = await messages(`limit=1&cursor=${newest.next}`)
    expect([newest.subjects, oldest]).toEqual([['Re: Hello'], { subjects: ['one'], next: null }])
    for (const query of ['limit=0', 'limit=101', 'cursor=no'])
      expect(
        (await request(server, 'GET', `/api/email/threads?${query}`, { token: own.key })).status,
      ).toBe(422)
  })

  test('a thread of another user is 404', async () => {
    const other = await newMailedUser(server, mailbox)
    await sendEmail(server, sender, mail(addresses(1)))
    const { thread_id } = await threadOf(server, sender)
    for (const id of [thread_id, crypto.randomUUID()]) {
      const [to = ''] = addresses(1)
      const path = `/api/email/threads/${id}`
      for (const answer of [
        await request(server, 'GET', path, { token: other.key }),
        await sendEmail(server, other, mail([to], { reply_to_thread: id })),
      ])
        expect([answer.status, answer.body]).toEqual([404, { detail: 'Email thread not found' }])
    }
    expect(await threadsOf(server, other)).toEqual([])
    expect((await threadOf(server, sender, thread_id)).message_count).toBe(1)
  })

  test('concurrent replies are all counted', async () => {
    await sendEmail(server, sender, mail(addresses(1)))
    const { thread_id } = await threadOf(server, sender)
    const answers = await Promise.all(
      addresses(10).map((to) =>
        sendEmail(server, sender, mail([to], { reply_to_thread: thread_id })),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
    expect(await settled(server, sender)).toMatchObject({ thread_id, message_count: 11, sent: 11 })
  })
})
