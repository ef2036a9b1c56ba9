import { describe, expect, test } from 'bun:test'
import { createClient } from '../../shared/client.ts'
import { chatStream, listSessions } from '../../shared/contract/index.ts'
import { useConversation } from '../conversation/support.ts'
import { stalls } from '../harness/model-server.ts'
import { hasPrograms } from '../harness/programs.ts'
import { proxyConfig, startProxy as startProxyWith } from '../harness/proxy.ts'
import { PASSWORD, uniqueEmail } from '../harness/server.ts'

const suite = useConversation()

/** Starts a proxy as the guide configures it. */
const startProxy = (name: 'Caddy' | 'nginx') =>
  startProxyWith(name, async (port) => {
    const config = await proxyConfig('proxy.md', name === 'nginx' ? 'nginx' : 'caddyfile', port)
    return config.replaceAll('127.0.0.1:3000', new URL(suite.server.url).host)
  })

for (const name of ['Caddy', 'nginx'] as const)
  describe.if(hasPrograms(name.toLowerCase(), 'curl'))(
    `${name}, configured as in the guide,`,
    () => {
      test('the proxy forwards each part of a stream at once', async () => {
        await using proxy = await startProxy(name)
        const client = createClient({ baseUrl: proxy.url, credential: suite.user.key })
        suite.model.next(stalls('The first part'))
        for await (const event of await client.call(chatStream, { body: { message: 'Hello' } }))
          if (event.event === 'delta') {
            expect(event.data.text).toBe('The first part')
            return
          }
        throw new Error('the stream ended without a delta')
      })

      test('the proxy reports the address of the client, which cannot choose another one', async () => {
        await using proxy = await startProxy(name)
        const body = { email: uniqueEmail(), password: PASSWORD, confirm_password: PASSWORD }
        const curl = Bun.spawn([
          ...['curl', '--silent', '--interface', '127.0.0.2', '--json', JSON.stringify(body)],
          ...['--header', 'X-Forwarded-For: 203.0.113.9', `${proxy.url}/api/auth/signup`],
        ])
        const { access_token } = await curl.stdout.json()
        const client = createClient({ baseUrl: suite.server.url, credential: access_token })
        expect((await client.call(listSessions)).map(({ ip }) => ip)).toEqual(['127.0.0.2'])
      })

      test('the proxy forwards a file of 5 MB', async () => {
        await using proxy = await startProxy(name)
        const form = new FormData()
        form.set('file', new Blob(['x'.repeat(5_000_000)], { type: 'text/plain' }), 'long.txt')
        const response = await fetch(`${proxy.url}/api/files`, {
          method: 'POST',
          headers: { authorization: `Bearer ${suite.user.key}` },
          body: form,
        })
        expect(response.status).toBe(201)
      })
    },
  )
