import { expect, setDefaultTimeout, test } from 'bun:test'
import { startMailbox } from '../harness/mail.ts'
import {
  newUser,
  PASSWORD,
  request,
  startServer,
  type TestServer,
  uniqueEmail,
} from '../harness/server.ts'

// A server is started for each mail server.
setDefaultTimeout(60_000)

const UNREACHABLE = {
  detail:
    'The mail server of this service reaches only addresses with a to z, digits and signs before the @',
}

/** Addresses whose local part the mail server must take as UTF-8 (RFC 6531), and those that any takes. */
const withUtf8 = (): string[] =>
  ['zoë', 'пётр', '田中', 'josé', 'ñandu', 'łukasz', 'øyvind', 'علي'].map((name) =>
    uniqueEmail().replace('@', `-${name}@`),
  )
const withoutUtf8 = (): string[] => [
  uniqueEmail(),
  uniqueEmail().replace('@', '+a.b_c-d@'),
  uniqueEmail().replace(/@.*/, '@exämple.com'),
  uniqueEmail().replace(/@.*/, '@例え.jp'),
]

const signUp = (server: TestServer, email: string) => {
  const body = { email, password: PASSWORD, confirm_password: PASSWORD }
  return request(server, 'POST', '/api/auth/signup', { body })
}

for (const hidesUtf8 of [false, true]) {
  test(`a mail server ${hidesUtf8 ? 'without' : 'with'} SMTPUTF8 decides which addresses can sign up`, async () => {
    await using mailbox = await startMailbox(0, { hideSMTPUTF8: hidesUtf8 })
    await using server = await startServer({ SVC_SMTP_URL: mailbox.url })
    const user = await newUser(server)
    const change = (email: string) =>
      request(server, 'POST', '/api/auth/change-verification-email', {
        body: { email },
        token: user.accessToken,
      })
    for (const email of withUtf8()) {
      const { status, body } = await signUp(server, email)
      expect([email, status]).toEqual([email, hidesUtf8 ? 400 : 201])
      if (hidesUtf8) expect(body).toEqual(UNREACHABLE)
      else await mailbox.next(email, 'Confirm')
    }
    for (const email of withoutUtf8()) expect((await signUp(server, email)).status).toBe(201)
    const [email = ''] = withUtf8()
    expect((await change(email)).status).toBe(hidesUtf8 ? 400 : 200)
  })
}

test('every address can sign up where no mail server can be asked', async () => {
  const mailbox = await startMailbox()
  await mailbox[Symbol.asyncDispose]()
  for (const settings of [{}, { SVC_SMTP_URL: mailbox.url }]) {
    await using server = await startServer(settings)
    for (const email of withUtf8()) expect((await signUp(server, email)).status).toBe(201)
  }
})
