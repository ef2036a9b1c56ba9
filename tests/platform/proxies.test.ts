import { describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createClient } from '../../shared/client.ts'
import { chatStream, listSessions } from '../../shared/contract/index.ts'
import { useConversation } from '../conversation/support.ts'
import { stalls } from '../harness/model-server.ts'
import { quietPort } from '../harness/ports.ts'
import { hasPrograms, PATH } from '../harness/programs.ts'
import { PASSWORD, uniqueEmail } from '../harness/server.ts'

const suite = useConversation()

/** The configuration of a proxy in the guide, with a port for the domain and without TLS. */
const configOf = async (language: string, port: number): Promise<string> => {
  const guide = await Bun.file(resolve(import.meta.dir, '../../docs/how-to/proxy.md')).text()
  const [, config = ''] = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'ms').exec(guide) ?? []
  return config
    .replaceAll('127.0.0.1:3000', new URL(suite.server.url).host)
    .replace('listen 443 ssl', `listen 127.0.0.1:${port}`)
    .replace(/^.*ssl_certificate.*\n/gm, '')
    .replace('svc.example.com {', `http://127.0.0.1:${port} {`)
}

const accepts = (port: number) =>
  new Promise<boolean>((done) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => done(true)).once('error', () => done(false))
    socket.once('connect', () => socket.destroy())
  })

const proxies = {
  Caddy: (directory: string, config: string) => {
    const global = '{\n\tadmin off\n}\n'
    writeFileSync(join(directory, 'Caddyfile'), global + config)
    return ['caddy', 'run', '--config', join(directory, 'Caddyfile')]
  },
  nginx: (directory: string, config: string) => {
    const http = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((name) => `${name}_temp_path ${directory}/${name};`)
      .join('\n')
    const main = `daemon off;\npid ${directory}/pid;\nevents {}\nhttp {\naccess_log off;\n${http}\n${config}}\n`
    writeFileSync(join(directory, 'nginx.conf'), main)
    return ['nginx', '-e', 'stderr', '-c', join(directory, 'nginx.conf')]
  },
}

/** Starts a proxy as the guide configures it. */
const startProxy = async (name: keyof typeof proxies) => {
  const directory = mkdtempSync(join(tmpdir(), 'svc-test-proxy-'))
  const port = await quietPort()
  const config = await configOf(name === 'nginx' ? 'nginx' : 'caddyfile', port)
  const child = Bun.spawn(proxies[name](directory, config), {
    env: { PATH, HOME: directory },
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
  })
  const output = child.stderr.text()
  const failed = child.exited.then(async () => Promise.reject(new Error(await output)))
  failed.catch(() => {})
  while (!(await Promise.race([accepts(port), failed]))) await Bun.sleep(20)
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await child.exited
      rmSync(directory, { recursive: true })
    },
  }
}

for (const name of ['Caddy', 'nginx'] as const)
  describe.if(hasPrograms(name.toLowerCase(), 'curl'))(
    `${name}, configured as in the guide,`,
    () => {
      test('forwards each part of a stream at once', async () => {
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

      test('reports the address of the client, which cannot choose another one', async () => {
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

      test('forwards a file of 5 MB', async () => {
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
