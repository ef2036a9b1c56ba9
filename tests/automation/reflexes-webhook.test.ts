import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { eventually } from '../harness/eventually.ts'
import { newVerifiedUser, startRestartable } from '../harness/http.ts'
import type { TestUser } from '../harness/server.ts'
import { startWeb, type Web } from '../harness/web.ts'
import {
  apiCaller,
  type CallApi,
  firingsOf,
  newDevice,
  newReflex,
  sendSignal,
  settledFirings,
} from './support.ts'

setDefaultTimeout(120_000)

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
const call: CallApi = apiCaller(
  () => opened.current,
  () => user,
)
beforeAll(async () => {
  web = await startWeb()
  opened = await startRestartable({}, { fetching: { ...web.fetching, timeoutMs: 60_000 } })
  user = await newVerifiedUser(opened.current)
  await opened.restart(`update users set tier = 'awakened' where id = '${user.id}'`)
  device = await newDevice(call)
})
afterAll(async () => {
  await opened[Symbol.asyncDispose]()
  await web[Symbol.asyncDispose]()
})

/** A site that stores its requests and responds with these statuses in turn; the last one repeats. */
const newSite = (...statuses: (number | Promise<number>)[]) => {
  const received: Received[] = []
  const host = web.site(async (request) => {
    const url = new URL(request.url)
    const { method, headers } = request
    received.push({ method, path: url.pathname + url.search, headers, body: await request.text() })
    const status = await ((statuses.length > 1 ? statuses.shift() : statuses[0]) ?? 204)
    const isRedirect = status >= 300 && status < 400
    return new Response(null, {
      status,
      ...(isRedirect && { headers: { location: 'http://elsewhere.test/' } }),
    })
  })
  return { received, host, url: `http://${host}/hook?a=1` }
}

const newHook = (url: string, more: object = {}) =>
  newReflex(call, { name: 'Hook', action: { type: 'webhook', url }, ...more })

/** Each test sends its own signals. */
let lastValue = 1_000
const hookOn = async (url: string) => {
  const value = lastValue++
  const reflex = await newHook(url, { conditions: [{ op: 'eq', path: 'value', value }] })
  return { ...reflex, fire: () => sendSignal(call, device, value) }
}

/** Standard Webhooks: `v1,` and the HMAC-SHA256 of id, timestamp and body, joined by dots. */
const signatureOf = ({ headers, body }: Received, secret: string): string => {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const signed = `${headers.get('webhook-id')}.${headers.get('webhook-timestamp')}.${body}`
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
}

describe('webhook action', () => {
  test('the event is posted, signed with a secret that is shown once', async () => {
    const { url, host, received } = newSite()
    const { webhook_secret: secret, fire, ...reflex } = await hookOn(url)
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/)
    expect(reflex.action).toEqual({ type: 'webhook', channel: 'webhook', url })
    const path = `/api/reflexes/${reflex.reflex_id}`
    expect((await call('GET', path)).text).not.toContain('whsec_')
    const signal = await fire()
    const [firing] = await settledFirings(call, reflex.reflex_id)
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

    const renewed = await call('POST', `${path}/secret`)
    expect(renewed.status).toBe(200)
    expect(renewed.body.webhook_secret).not.toBe(secret)
    await fire()
    await settledFirings(call, reflex.reflex_id, 2)
    const [, second] = received as [Received, Received]
    expect(second.headers.get('webhook-signature')).toBe(
      signatureOf(second, renewed.body.webhook_secret),
    )
    const changed = await call('PATCH', path, { name: 'Kept' })
    expect(changed.body.webhook_secret).toBeNull()
    const without = await call('PATCH', path, { action: { type: 'remember', content: 'x' } })
    expect([without.status, without.body.webhook_secret]).toEqual([200, null])
    expect((await call('POST', `${path}/secret`)).status).toBe(409)
    const again = await call('PATCH', path, { action: { type: 'webhook', url } })
    expect(again.body.webhook_secret).toMatch(/^whsec_/)
  })

  test('a failed request is retried with the same id until it succeeds', async () => {
    const last = Promise.withResolvers<number>()
    const { url, received } = newSite(500, 302, last.promise)
    const { reflex_id, fire } = await hookOn(url)
    await fire()
    const failing = await eventually(async () => {
      const [firing] = await firingsOf(call, reflex_id)
      return firing.attempts > 0 && firing
    })
    expect(failing.error).toContain('The webhook responded with status')
    last.resolve(200)
    const [firing] = await settledFirings(call, reflex_id)
    expect(firing).toMatchObject({ state: 'done', attempts: 2, error: null })
    expect(new Set(received.map(({ headers }) => headers.get('webhook-id'))).size).toBe(1)
    expect(received).toHaveLength(3)
    expect(web.lookups).not.toContain('elsewhere.test')
  })

  test('status 410 disables the reflex until the user enables it', async () => {
    const { url, received } = newSite(410)
    const { reflex_id, fire } = await hookOn(url)
    await fire()
    expect(await settledFirings(call, reflex_id)).toMatchObject([
      { state: 'failed', error: 'The webhook responded with status 410 Gone' },
    ])
    const path = `/api/reflexes/${reflex_id}`
    expect((await call('GET', path)).body).toMatchObject({
      enabled: false,
      disabled_reason: 'The webhook responded with status 410 Gone',
    })
    await fire()
    expect(received).toHaveLength(1)
    expect((await call('PATCH', path, { enabled: true })).body).toMatchObject({
      enabled: true,
      disabled_reason: null,
    })
  })

  test('an address outside the public internet is rejected on creation and on the call', async () => {
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
      const { status, body } = await call('POST', '/api/reflexes', {
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
    expect(await settledFirings(call, reflex_id)).toMatchObject([
      { state: 'failed', error: 'There is no public web server at this address' },
    ])
    const kinds = async () =>
      (await call('GET', '/api/events?kind=reflex.')).body.events.map(
        ({ kind }: { kind: string }) => kind,
      )
    expect(await eventually(async () => (await kinds()).includes('reflex.failed'))).toBe(true)
    expect([received, web.forbidden()]).toEqual([[], 0])
  })

  test('a slow webhook delays neither other users nor other reflexes of its owner', async () => {
    const hold = Promise.withResolvers<void>()
    const requested = Promise.withResolvers<void>()
    const slow = web.site(async () => {
      requested.resolve()
      await hold.promise
      return new Response(null)
    })
    const slowOnes = await Promise.all(Array.from({ length: 20 }, () => hookOn(`http://${slow}/`)))
    const quick = await hookOn(newSite().url)
    const mine = await newReflex(call, { conditions: [{ op: 'eq', path: 'value', value: -5 }] })
    for (const { fire } of slowOnes) await fire()
    await requested.promise
    await sendSignal(call, device, -5)
    expect(await settledFirings(call, mine.reflex_id)).toMatchObject([{ state: 'done' }])
    const another = await newVerifiedUser(opened.current)
    const callOther = apiCaller(
      () => opened.current,
      () => another,
    )
    const { reflex_id } = await newReflex(callOther)
    await sendSignal(callOther, await newDevice(callOther), 1)
    expect(await settledFirings(callOther, reflex_id)).toMatchObject([{ state: 'done' }])
    // None of them has failed in the meantime.
    for (const each of slowOnes)
      expect(await firingsOf(call, each.reflex_id)).toMatchObject([
        { state: 'pending', attempts: 0 },
      ])
    hold.resolve()
    for (const each of slowOnes)
      expect(await settledFirings(call, each.reflex_id)).toMatchObject([{ state: 'done' }])
    await quick.fire()
    expect(await settledFirings(call, quick.reflex_id)).toMatchObject([{ state: 'done' }])
  })

  test('the tier must include webhooks on creation and on the call', async () => {
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
    const callUnpaid = apiCaller(
      () => opened.current,
      () => poor,
    )
    const body = { name: 'x', trigger: { type: 'signal' }, action: { type: 'webhook', url } }
    const created = await callUnpaid('POST', '/api/reflexes', body)
    expect([created.status, created.body]).toEqual([403, denied])
    const other = await newReflex(callUnpaid)
    const changed = await callUnpaid('PATCH', `/api/reflexes/${other.reflex_id}`, {
      action: body.action,
    })
    expect([changed.status, changed.body]).toEqual([403, denied])

    await opened.restart(`update users set tier = 'amnesiac' where id = '${user.id}'`)
    await fire()
    expect(await settledFirings(call, reflex_id)).toMatchObject([
      { state: 'failed', error: 'Your tier no longer includes webhooks' },
    ])
    expect(received).toEqual([])
    const path = `/api/reflexes/${reflex_id}`
    expect((await call('PATCH', path, { enabled: false })).status).toBe(200)
    expect((await call('PATCH', path, { enabled: true })).status).toBe(403)
  })
})
