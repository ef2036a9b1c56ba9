export interface StripeRequest {
  method: string
  path: string
  authorization: string | null
  params: Record<string, string>
}

export interface StripeServer extends AsyncDisposable {
  /** For `SVC_STRIPE_API_BASE`. */
  url: string
  /** All requests, in order. */
  requests: StripeRequest[]
  /** Resolves with the first request to a path with this prefix. */
  requestTo(path: string): Promise<StripeRequest>
  /** Resolves with the next request. */
  next(): Promise<StripeRequest>
  /** Replaces the default response, unless it returns undefined. */
  respond: ((request: StripeRequest) => Response | undefined) | undefined
}

/** The part of Stripe's API that the server calls: checkout and portal sessions, expiry and cancellation. */
export const startStripeServer = (): StripeServer => {
  const waiting: { path: string; resolve(request: StripeRequest): void }[] = []
  const http = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { pathname: path, searchParams } = new URL(request.url)
      const received = {
        method: request.method,
        path,
        authorization: request.headers.get('authorization'),
        params: Object.fromEntries([...searchParams, ...new URLSearchParams(await request.text())]),
      }
      server.requests.push(received)
      for (const each of waiting) if (path.startsWith(each.path)) each.resolve(received)
      const replacement = server.respond?.(received)
      if (replacement) return replacement
      if (path === '/v1/checkout/sessions')
        return Response.json({
          id: `cs_test_${server.requests.length}_${crypto.randomUUID()}`,
          object: 'checkout.session',
          url: `${server.url}/pay`,
        })
      if (/^\/v1\/checkout\/sessions\/\w[^/]+\/expire$/.test(path))
        return Response.json({ object: 'checkout.session', status: 'expired' })
      if (path === '/v1/billing_portal/sessions')
        return Response.json({ object: 'billing_portal.session', url: `${server.url}/portal` })
      if (request.method === 'DELETE' && path.startsWith('/v1/subscriptions/'))
        return Response.json({ id: path.split('/').at(-1), status: 'canceled' })
      return Response.json({ error: { type: 'invalid_request_error' } }, { status: 404 })
    },
  })
  const wait = (path: string): Promise<StripeRequest> => {
    const { promise, resolve } = Promise.withResolvers<StripeRequest>()
    waiting.push({ path, resolve })
    return promise
  }
  const server: StripeServer = {
    url: `http://127.0.0.1:${http.port}`,
    requests: [],
    respond: undefined,
    requestTo(path) {
      const found = server.requests.find((request) => request.path.startsWith(path))
      return found ? Promise.resolve(found) : wait(path)
    },
    next: () => wait('/'),
    [Symbol.asyncDispose]: () => http.stop(true),
  }
  return server
}
