import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { TOTP } from 'otpauth'
import { runSql } from '../harness/http.ts'
import { linkIn, newMailedUser, useSharedServerWithMail } from '../harness/mail.ts'
import { newAddress, newUser, PASSWORD, request, uniqueEmail } from '../harness/server.ts'

setDefaultTimeout(120_000)

const it = useSharedServerWithMail()
const DEVICE = '/api/auth/mcp/device'

/** A browser: it keeps cookies. */
const newBrowser = () => {
  const cookies = new Map<string, string>()
  const from = newAddress()
  const send = async (path: string, form?: URLSearchParams) => {
    const response = await fetch(new URL(path, it.server.url), {
      method: form ? 'POST' : 'GET',
      redirect: 'manual',
      headers: {
        'x-forwarded-for': from,
        origin: it.server.baseUrl,
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      },
      ...(form && { body: form }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    return {
      status: response.status,
      location: response.headers.get('location'),
      cookie: response.headers.getSetCookie(),
      text: await response.text(),
    }
  }
  return { send }
}

type Answer = Awaited<ReturnType<ReturnType<typeof newBrowser>['send']>>

/** The form of a page that is sent to a path, with its hidden fields. */
const formOf = (text: string, action: string): URLSearchParams => {
  const start = text.indexOf(`action="${action}"`)
  if (start < 0) throw new Error(`no form for ${action}: ${text.slice(-600)}`)
  const form = text.slice(start, text.indexOf('</form>', start))
  const fields = new URLSearchParams()
  for (const [, name = '', value = ''] of form.matchAll(
    /<input type="hidden" name="([^"]*)" value="([^"]*)"/g,
  ))
    fields.append(name, value)
  return fields
}

interface Case {
  browser: ReturnType<typeof newBrowser>
  /** The page with the form. */
  page: string
  action: string
  fields: Record<string, string>
  /** Checks the response, which is the same for all. */
  expected(answer: Answer): void
}

const isRedirect = ({ status, cookie }: Answer) => {
  expect(status).toBe(303)
  expect(cookie.join()).toContain('refresh_token=')
}
const shows = (text: string) => (answer: Answer) => expect(answer.text).toContain(text)

const newLogin = async () =>
  (await request(it.server, 'POST', '/api/auth/mcp/start', { body: { client_name: 'App' } })).body

const cases: Record<string, () => Promise<Case>> = {
  async 'a sign-up'() {
    const email = uniqueEmail()
    const fields = { email, password: PASSWORD, confirm_password: PASSWORD }
    const page = `${DEVICE}?view=signup`
    return { browser: newBrowser(), page, action: `${DEVICE}/signup`, fields, expected: isRedirect }
  },
  async 'a sign-in'() {
    const { email } = await newUser(it.server)
    const fields = { email, password: PASSWORD }
    const action = `${DEVICE}/signin`
    return { browser: newBrowser(), page: DEVICE, action, fields, expected: isRedirect }
  },
  async 'a second factor'() {
    const { email, accessToken: token } = await newUser(it.server)
    const post = (path: string, body: object) =>
      request(it.server, 'POST', `/api/auth/mfa/${path}`, { token, body })
    const { secret } = (await post('setup', {})).body
    const totp = new TOTP({ secret })
    await post('enable', { code: totp.generate() })
    const code = totp.generate({ timestamp: Date.now() + 30_000 })
    const browser = newBrowser()
    const form = formOf((await browser.send(DEVICE)).text, `${DEVICE}/signin`)
    form.set('email', email)
    form.set('password', PASSWORD)
    const { text } = await browser.send(`${DEVICE}/signin`, form)
    const action = `${DEVICE}/verify`
    return { browser, page: text, action, fields: { code }, expected: isRedirect }
  },
  async 'a password reset'() {
    const { email } = await newMailedUser(it.server, it.mailbox)
    await request(it.server, 'POST', '/api/auth/forgot-password', { body: { email } })
    const link = linkIn(await it.mailbox.next(email, 'Reset'))
    const fields = {
      password: 'another long passphrase 3',
      confirm_password: 'another long passphrase 3',
    }
    const page = link.pathname + link.search
    return {
      browser: newBrowser(),
      page,
      action: '/reset',
      fields,
      expected: shows('Password changed'),
    }
  },
  async 'a verification link'() {
    const { email } = await newUser(it.server)
    const link = linkIn(await it.mailbox.next(email, 'Confirm'))
    const page = link.pathname + link.search
    return {
      browser: newBrowser(),
      page,
      action: '/verify',
      fields: {},
      expected: shows('Address confirmed'),
    }
  },
  async 'a mailed code'() {
    const { email } = await newMailedUser(it.server, it.mailbox)
    const browser = newBrowser()
    const form = formOf((await browser.send(DEVICE)).text, `${DEVICE}/signin`)
    form.set('email', email)
    const { text } = await browser.send(`${DEVICE}/mail-code`, form)
    const code = (await it.mailbox.next(email, 'is your code')).subject.slice(0, 6)
    const action = `${DEVICE}/mailed-code`
    return { browser, page: text, action, fields: { code }, expected: isRedirect }
  },
  async 'an approval of a device'() {
    const { email } = await newUser(it.server)
    const { user_code } = await newLogin()
    const browser = newBrowser()
    const form = formOf((await browser.send(DEVICE)).text, `${DEVICE}/signin`)
    form.set('email', email)
    form.set('password', PASSWORD)
    await browser.send(`${DEVICE}/signin`, form)
    const page = `${DEVICE}?user_code=${user_code}`
    const action = `${DEVICE}/decide`
    const expected = shows('<h1>Connected</h1>')
    return { browser, page, action, fields: { decision: 'approve' }, expected }
  },
}

describe('a form that a browser sends several times', () => {
  for (const [name, prepare] of Object.entries(cases))
    test(`${name} happens once, and each response is that to the first`, async () => {
      const { browser, page, action, fields, expected } = await prepare()
      const text = page.startsWith('/') ? (await browser.send(page)).text : page
      const form = formOf(text, action)
      for (const [field, value] of Object.entries(fields)) form.set(field, value)
      const answers = await Promise.all(Array.from({ length: 4 }, () => browser.send(action, form)))
      const [first, ...others] = answers
      if (!first) throw new Error('no response')
      expected(first)
      expect(others).toEqual([first, first, first])
      expect(await browser.send(action, form)).toEqual(first)
    })

  test('corrected fields on the same page are another submission', async () => {
    const email = uniqueEmail()
    const browser = newBrowser()
    const form = formOf((await browser.send(`${DEVICE}?view=signup`)).text, `${DEVICE}/signup`)
    form.set('email', email)
    form.set('password', 'short')
    form.set('confirm_password', 'short')
    expect((await browser.send(`${DEVICE}/signup`, form)).status).toBe(400)
    form.set('password', PASSWORD)
    form.set('confirm_password', PASSWORD)
    expect((await browser.send(`${DEVICE}/signup`, form)).status).toBe(303)
  })

  test('the database has no token and no page of a remembered response', async () => {
    const email = uniqueEmail()
    const browser = newBrowser()
    const form = formOf((await browser.send(`${DEVICE}?view=signup`)).text, `${DEVICE}/signup`)
    form.set('email', email)
    form.set('password', PASSWORD)
    form.set('confirm_password', PASSWORD)
    const { cookie } = await browser.send(`${DEVICE}/signup`, form)
    const rows = JSON.stringify(await runSql(it.server.database, 'select * from form_submissions'))
    expect(rows).not.toContain(form.get('submission') ?? '')
    expect(rows).not.toContain(email)
    expect(rows).not.toContain(cookie[0]?.split(/[=;]/)[1] ?? '')
  })
})
