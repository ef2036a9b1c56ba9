import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { createServer, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { budgets } from '../../server/platform/budgets.ts'
import { openMailTransport } from '../../server/platform/mail/transport.ts'
import { newVerifiedUser } from '../harness/http.ts'
import { startMailbox } from '../harness/mail.ts'
import { newUser, request, startServer, useSharedServer } from '../harness/server.ts'

setDefaultTimeout(120_000)

const server = useSharedServer()
const MIB = 1024 ** 2
/** The sockets and the reader buffer some bytes beyond a limit. */
const SLACK_BYTES = 16 * MIB

/** A server whose responses do not end until the reader closes the connection. */
const startEndless = (answer: (received: Request) => Response | undefined = () => undefined) => {
  const state = { sentBytes: 0, responses: 0 }
  const chunk = new Uint8Array(256 * 1024).fill(0x20)
  const http = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    fetch(received) {
      const known = answer(received)
      if (known) return known
      state.responses++
      const body = new ReadableStream({
        async pull(controller) {
          state.sentBytes += chunk.byteLength
          controller.enqueue(chunk)
          // Other requests of this process are served in between.
          await Bun.sleep(0)
        },
      })
      return new Response(body, { headers: { 'content-type': 'application/json' } })
    },
  })
  return {
    url: `http://127.0.0.1:${http.port}`,
    state,
    [Symbol.asyncDispose]: () => http.stop(true),
  }
}

/** The bytes that were read of one response. */
const readBytes = ({ state }: ReturnType<typeof startEndless>) =>
  state.sentBytes / Math.max(1, state.responses)

describe('reading stops at the limit of a response that does not end', () => {
  test('reading an endless response of a sign-in provider stops at its limit', async () => {
    await using provider = startEndless()
    await using own = await startServer({
      SVC_OAUTH_GOOGLE_ID: 'id',
      SVC_OAUTH_GOOGLE_SECRET: 'secret',
      SVC_OAUTH_GOOGLE_ISSUER: provider.url,
    })
    const { status } = await request(own, 'GET', '/api/auth/oauth/google/authorize')
    expect([status, provider.state.responses]).toEqual([503, 1])
    expect(readBytes(provider)).toBeWithin(MIB, budgets.oauthProvider.bytes + SLACK_BYTES)
  })

  test('reading an endless response of Stripe stops at its limit', async () => {
    await using stripe = startEndless()
    await using own = await startServer({
      SVC_STRIPE_SECRET_KEY: 'sk_test_a_key_of_stripe',
      SVC_STRIPE_WEBHOOK_SECRET: 'whsec_a_secret',
      SVC_STRIPE_API_BASE: stripe.url,
    })
    const { accessToken: token } = await newVerifiedUser(own)
    const body = { credits_usd: 10 }
    const { status } = await request(own, 'POST', '/api/billing/checkout', { token, body })
    expect(status).toBe(502)
    expect(readBytes(stripe)).toBeWithin(MIB, budgets.stripe.bytes + SLACK_BYTES)
  })

  test('reading an endless response of S3 stops at its limit', async () => {
    await using bucket = startEndless(({ method }) =>
      method === 'GET' ? undefined : new Response(null, { status: 200 }),
    )
    await using own = await startServer({
      SVC_S3_ENDPOINT: bucket.url,
      SVC_S3_BUCKET: 'files',
      SVC_S3_ACCESS_KEY_ID: 'key-id',
      SVC_S3_SECRET_ACCESS_KEY: 'key-secret',
    })
    const { accessToken: token } = await newVerifiedUser(own)
    const form = new FormData()
    form.set('file', new Blob(['text'], { type: 'text/plain' }), 'a.txt')
    const uploaded = await fetch(new URL('/api/files', own.url), {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: form,
    })
    const { id } = (await uploaded.json()) as { id: string }
    const { status } = await request(own, 'GET', `/api/files/${id}/content`, { token })
    expect(status).toBe(500)
    expect(bucket.state.sentBytes).toBeLessThan(budgets.s3.bytes + SLACK_BYTES)
  })
})

test('an upload with parts that are not read ends with 413 at the limit of the form', async () => {
  const { accessToken } = await newUser(server.current)
  const part = `--B\r\nContent-Disposition: form-data; name="x"; filename="x"\r\n\r\n${'x'.repeat(MIB)}\r\n`
  let sentBytes = 0
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      sentBytes += part.length
      controller.enqueue(new TextEncoder().encode(part))
    },
  })
  const { status } = await fetch(new URL('/api/profile/avatar', server.current.url), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${accessToken}`,
      'content-type': 'multipart/form-data; boundary=B',
    },
    body,
  })
  expect(status).toBe(413)
  expect(sentBytes).toBeLessThan(budgets.uploadForm.bytes + SLACK_BYTES)
})

test('an import that expands more than any export is read to the limit and reported', async () => {
  const { key } = await newUser(server.current)
  const memory = '{"content": "Ada likes tea."}\n'
  const body = gzipSync(memory + '\n'.repeat(budgets.importGzip.bytes * 3))
  const answer = await fetch(new URL('/api/memories/import', server.current.url), {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/gzip' },
    body,
  })
  expect(await answer.json()).toMatchObject({
    imported: 1,
    failed: [{ detail: 'The compressed file expands more than 50 times' }],
  })
})

test('the delivery to a mail server that sends a byte now and then ends', async () => {
  const sockets = new Set<Socket>()
  const smtp = createServer((socket) => {
    sockets.add(socket)
    socket.write('220 mail.example\r\n')
    const timer = setInterval(() => socket.write('250-'), 20)
    socket.on('error', () => {}).on('close', () => clearInterval(timer))
  })
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve))
  const address = smtp.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const transport = openMailTransport({
    smtpUrl: `smtp://127.0.0.1:${port}`,
    outboxDir: '',
    deliveryMs: 200,
    notice: () => {},
  })
  const mail = { message: { messageId: '<a@b>', from: 'a@b.example', text: '' }, to: 'c@d.example' }
  await expect(transport.deliver({ ...mail, shown: '' })).rejects.toThrow()
  transport.close()
  for (const socket of sockets) socket.destroy()
  await new Promise((resolve) => smtp.close(resolve))
})

test('an email that exceeds its time leaves another one in transit, which arrives once', async () => {
  const received: (string | undefined)[] = []
  const replying = Promise.withResolvers<() => void>()
  await using mailbox = await startMailbox(0, {
    // The first email gets no reply to its recipient, the second one no reply to its content yet.
    onRcptTo({ address }, _session, done) {
      if (address !== 'stalled@d.example') done()
    },
    onData(stream, { envelope }, done) {
      stream.resume().on('end', () => {
        received.push(envelope.rcptTo[0]?.address)
        if (received.length > 1) done()
        else replying.resolve(done)
      })
    },
  })
  const transport = openMailTransport({
    smtpUrl: mailbox.url,
    outboxDir: '',
    deliveryMs: 3_000,
    notice: () => {},
  })
  const deliver = (name: string) => {
    const message = { messageId: `<${name}@b>`, from: 'a@b.example', text: '' }
    return transport.deliver({ message, to: `${name}@d.example`, shown: '' })
  }
  const stalled = deliver('stalled').catch((error: Error) => error)
  // The time of the second email ends later.
  await Bun.sleep(1_500)
  const other = deliver('other')
  const reply = await replying.promise
  expect(await stalled).toBeInstanceOf(Error)
  reply()
  await other
  await deliver('third')
  transport.close()
  expect(received).toEqual(['other@d.example', 'third@d.example'])
})
