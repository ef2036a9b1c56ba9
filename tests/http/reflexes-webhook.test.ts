import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import type { TestUser } from '../harness/server.ts'
import { startWeb, type Web } from '../harness/web.ts'
import {
  eventually,
  firingsOf,
  newDevice,
  newReflex,
  type Speak,
  sendSignal,
  settledFirings,
  speaker,
} from './automation-support.ts'
import { newVerifiedUser, startRestartable } from './support.ts'

setDefaultTimeout(60_000)

interface Received {
  method: string
  path: string
  headers: Headers
  body: string
}

let web: Web
let opened: Awaited<ReturnType<typeof startRestartable>>
let user: TestUser
let device: string
const say: Speak = speaker(
  () => opened.current,
  () => user,
)
beforeAll(async () => {
  web = await startWeb()
  opened = await startRestartable({}, { fetching: { ...web.fetching, timeoutMs: 60_000 } })
  user = await newVerifiedUser(opened.current)
  await opened.restart(`update users set tier = 'awakened' where id = '${user.id}'`)
  device = await newDevice(say)
})
afterAll(async () => {
  await opened[Symbol.asyncDispose]()
  await web[Symbol.asyncDispose]()
})

/** A site that keeps what is posted to it, and answers with these statuses in turn; the last stays. */
const newSite = (...statuses: number[]) => {
  const received: Received[] = []
  const host = web.site(async (request) => {
    const url = new URL(request.url)
    const { method, headers } = request
    received.push({ method, path: url.pathname + url.search, headers, body: await request.text() })
    const status = (statuses.length > 1 ? statuses.shift() : statuses[0]) ?? 204
    const isRedirect = status >= 300 && status < 400
    return new Response(null, {
      status,
      ...(isRedirect && { headers: { location: 'http://elsewhere.test/' } }),
    })
  })
  return { received, host, url: `http://${host}/hook?a=1` }
}

const newHook = (url: string, more: object = {}) =>
  newReflex(say, { name: 'Hook', action: { type: 'webhook', url }, ...more })

/** Each test has signals of its own. */
let lastValue = 1_000
const hookOn = async (url: string) => {
  const value = lastValue++
  const reflex = await newHook(url, { conditions: [{ op: 'eq', path: 'value', value }] })
  return { ...reflex, fire: () => sendSignal(say, device, value) }
}

/** As Standard Webhooks has it: `v1,` and HMAC-SHA256 of id, timestamp and body, by dots. */
const signatureOf = ({ headers, body }: Received, secret: string): string => {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const signed = `${headers.get('webhook-id')}.${headers.get('webhook-timestamp')}.${body}`
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
}

describe('a webhook', () => {
  test('is posted what happened, signed with a secret that is shown once', async () => {
    const { url, host, received } = newSite()
    const { webhook_secret: secret, fire, ...reflex } = await hookOn(url)
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/)
    expect(reflex.action).toEqual({ type: 'webhook', channel: 'webhook', url })
    const path = `/api/reflexes/${reflex.reflex_id}`
    expect((await say('GET', path)).text).not.toContain('whsec_')
    const signal = await fire()
    const [firing] = await settledFirings(say, reflex.reflex_id)
    expect(firing).toMatchObject({ state: 'done', attempts: 0, error: null })
    expect(received).toHaveLength(1)
    const [post] = received as [Received]
    expect([post.method, post.path]).toEqual(['POST', '/hook?a=1'])
    expect(post.headers.get('host')).toBe(host)
    expect(post.headers.get('content-type')).toBe('application/json')
    expect(post.headers.get('webhook-id')).toBe(firing.firing_id)
    expect(post.headers.get('webhook-signature')).toBe(signatureOf(post, secret))
    const sentAt = Number(post.headers.get('webhook-timestamp')) * 1000
    expect(Math.abs(Date.now() - sentAt)).toBeLessThan(60_000)
    expect(JSON.parse(post.body)).toEqual({
      type: 'reflex.fired',
      timestamp: firing.created_at,
      data: {
        reflex_id: reflex.reflex_id,
        reflex_name: 'Hook',
        firing_id: firing.firing_id,
        event: expect.objectContaining({ type: 'signal', signal_id: signal.signal_id }),
      },
    })

    const renewed = await say('POST', `${path}/secret`)
    expect(renewed.status).toBe(200)
    expect(renewed.body.webhook_secret).not.toBe(secret)
    await fire()
    await settledFirings(say, reflex.reflex_id, 2)
    const [, second] = received as [Received, Received]
    expect(second.headers.get('webhook-signature')).toBe(
      signatureOf(second, renewed.body.webhook_secret),
    )
    const changed = await say('PATCH', path, { name: 'Kept' })
    expect(changed.body.webhook_secret).toBeNull()
    const without = await say('PATCH', path, { action: { type: 'remember', content: 'x' } })
    expect([without.status, without.body.webhook_secret]).toEqual([200, null])
    expect((await say('POST', `${path}/secret`)).status).toBe(409)
    const again = await say('PATCH', path, { action: { type: 'webhook', url } })
    expect(again.body.webhook_secret).toMatch(/^whsec_/)
  })

  test('that fails is tried again under the same id, until it is taken', async () => {
    const { url, received } = newSite(500, 302, 200)
    const { reflex_id, fire } = await hookOn(url)
    await fire()
    const failing = await eventually(async () => {
      const [firing] = await firingsOf(say, reflex_id)
      return firing.attempts > 0 && firing
    })
    expect(failing.error).toContain('The webhook answered with status')
    const [firing] = await settledFirings(say, reflex_id)
    expect(firing).toMatchObject({ state: 'done', attempts: 2, error: null })
    expect(new Set(received.map(({ headers }) => headers.get('webhook-id'))).size).toBe(1)
    expect(received).toHaveLength(3)
    expect(web.lookups).not.toContain('elsewhere.test')
  })

  test('that is gone for good switches its reflex off, until it is switched on again', async () => {
    const { url, received } = newSite(410)
    const { reflex_id, fire } = await hookOn(url)
    await fire()
    expect(await settledFirings(say, reflex_id)).toMatchObject([
      { state: 'failed', error: 'The webhook answered 410: it is gone' },
    ])
    const path = `/api/reflexes/${reflex_id}`
    expect((await say('GET', path)).body).toMatchObject({
      enabled: false,
      disabled_reason: 'The webhook answered 410: it is gone',
    })
    await fire()
    expect(received).toHaveLength(1)
    expect((await say('PATCH', path, { enabled: true })).body).toMatchObject({
      enabled: true,
      disabled_reason: null,
    })
  })

  test('is on the public internet, when it is made and when it is called', async () => {
    web.name('inside.test', ['10.0.0.5'])
    for (const url of [
      'http://127.0.0.1/',
      'http://169.254.169.254/latest/meta-data',
      'http://[::1]/',
      'http://inside.test/',
      'http://no-such-name.test/',
      'http://user:pass@example.test/',
      'https://example.test:22/',
      'ftp://example.test/',
      'javascript:alert(1)',
      'nothing',
    ]) {
      const action = { type: 'webhook', url }
      const { status, body } = await say('POST', '/api/reflexes', {
        name: 'x',
        trigger: { type: 'signal' },
        action,
      })
      expect([url, status, body.detail]).toEqual([
        url,
        422,
        [{ loc: ['body', 'action', 'url'], type: 'value_error', msg: expect.any(String) }],
      ])
    }
    const { host, url, received } = newSite()
    const { reflex_id, fire } = await hookOn(url)
    web.name(host, ['127.0.0.1'])
    await fire()
    expect(await settledFirings(say, reflex_id)).toMatchObject([
      { state: 'failed', error: 'There is no public web server at this address' },
    ])
    expect([received, web.forbidden()]).toEqual([[], 0])
  })

  test('that takes its time keeps nobody else waiting, nor what else its person has', async () => {
    const hold = Promise.withResolvers<void>()
    const asked = Promise.withResolvers<void>()
    const slow = web.site(async () => {
      asked.resolve()
      await hold.promise
      return new Response(null)
    })
    const slowOnes = await Promise.all(Array.from({ length: 20 }, () => hookOn(`http://${slow}/`)))
    const quick = await hookOn(newSite().url)
    const mine = await newReflex(say, { conditions: [{ op: 'eq', path: 'value', value: -5 }] })
    for (const { fire } of slowOnes) await fire()
    await asked.promise
    await sendSignal(say, device, -5)
    expect(await settledFirings(say, mine.reflex_id)).toMatchObject([{ state: 'done' }])
    const another = await newVerifiedUser(opened.current)
    const sayAnother = speaker(
      () => opened.current,
      () => another,
    )
    const { reflex_id } = await newReflex(sayAnother)
    await sendSignal(sayAnother, await newDevice(sayAnother), 1)
    expect(await settledFirings(sayAnother, reflex_id)).toMatchObject([{ state: 'done' }])
    // Not one of them has been given up meanwhile.
    for (const each of slowOnes)
      expect(await firingsOf(say, each.reflex_id)).toMatchObject([
        { state: 'pending', attempts: 0 },
      ])
    hold.resolve()
    for (const each of slowOnes)
      expect(await settledFirings(say, each.reflex_id)).toMatchObject([{ state: 'done' }])
    await quick.fire()
    expect(await settledFirings(say, quick.reflex_id)).toMatchObject([{ state: 'done' }])
  })

  test('needs the awakened tier, when it is made, and when it is called', async () => {
    const denied = {
      detail: {
        error: 'feature_gate_denied',
        feature: 'webhooks',
        current_tier: 'amnesiac',
        recommended_tier: 'awakened',
        upgrade_url: expect.any(String),
      },
    }
    const { url, received } = newSite()
    const { reflex_id, fire } = await hookOn(url)
    const poor = await newVerifiedUser(opened.current)
    const sayPoor = speaker(
      () => opened.current,
      () => poor,
    )
    const body = { name: 'x', trigger: { type: 'signal' }, action: { type: 'webhook', url } }
    const made = await sayPoor('POST', '/api/reflexes', body)
    expect([made.status, made.body]).toEqual([403, denied])
    const other = await newReflex(sayPoor)
    const changed = await sayPoor('PATCH', `/api/reflexes/${other.reflex_id}`, {
      action: body.action,
    })
    expect([changed.status, changed.body]).toEqual([403, denied])

    await opened.restart(`update users set tier = 'amnesiac' where id = '${user.id}'`)
    await fire()
    expect(await settledFirings(say, reflex_id)).toMatchObject([
      { state: 'failed', error: 'Your tier has no webhooks any more' },
    ])
    expect(received).toEqual([])
    const path = `/api/reflexes/${reflex_id}`
    expect((await say('PATCH', path, { enabled: false })).status).toBe(200)
    expect((await say('PATCH', path, { enabled: true })).status).toBe(403)
  })
})
