/** An OAuth client that listens on this machine and redirects the browser to its own page. */
export const startClient = () => {
  const received = Promise.withResolvers<URLSearchParams>()
  const codes = new Set<string | null>()
  const client: Bun.Server<undefined> = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: (request): Response => {
      const url = new URL(request.url)
      if (url.pathname === '/icon') return new Response(null, { status: 204 })
      if (url.pathname === '/done') return html('<h1>Back in the app</h1>')
      received.resolve(url.searchParams)
      codes.add(url.searchParams.get('code'))
      // Another host of this machine, which `form-action` would block too.
      return Response.redirect(`http://localhost:${client.port}/done`)
    },
  })
  const origins = [`http://127.0.0.1:${client.port}`, `http://localhost:${client.port}`]
  return {
    origins,
    redirect: `${origins[0]}/callback`,
    received: received.promise,
    /** Each code that it received. */
    codes,
    [Symbol.asyncDispose]: () => client.stop(true),
  }
}

const html = (body: string) =>
  new Response(`<link rel="icon" href="/icon">${body}`, {
    headers: { 'content-type': 'text/html' },
  })
