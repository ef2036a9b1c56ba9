import { afterAll, beforeAll, expect, test } from 'bun:test'
import { fileURLToPath } from 'node:url'
import { newVerifiedUser } from '../harness/http.ts'
import { quietPort } from '../harness/ports.ts'
import { request, useServer } from '../harness/server.ts'
import { ADMIN, agree, open, registerApp } from './openid-provider-support.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const GUIDE = 'docs/how-to/sign-in-with-svc.md'

const server = useServer({ SVC_ADMIN_EMAILS: ADMIN })
let home: string
let app: Bun.Subprocess<'pipe', 'pipe', 'inherit'>
beforeAll(async () => {
  const port = await quietPort()
  home = `http://localhost:${port}/`
  const admin = await newVerifiedUser(server.current, ADMIN)
  const { id, secret = '' } = await registerApp(server.current, admin, {
    redirect_uris: [`${home}callback`],
    post_logout_redirect_uris: [home],
  })
  const guide = await Bun.file(`${ROOT}${GUIDE}`).text()
  const script = guide.split('```ts\n')[1]?.split('```')[0] ?? ''
  app = Bun.spawn([process.execPath, 'run', '-'], {
    cwd: ROOT,
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
    env: {
      ...process.env,
      SVC_URL: server.current.baseUrl,
      CLIENT_ID: id,
      CLIENT_SECRET: secret,
      PORT: String(port),
    },
  })
  app.stdin.write(script)
  app.stdin.end()
  const { value } = await app.stdout.getReader().read()
  if (!new TextDecoder().decode(value).startsWith('Open ')) throw new Error('the app did not start')
}, 120_000)
afterAll(async () => {
  app.kill()
  await app.exited
})

const redirectOf = async (path: string) => {
  const { headers } = await fetch(`${home}${path}`, { redirect: 'manual' })
  return { url: new URL(headers.get('location') ?? '') }
}

test('the app of the guide signs a user in, reads the memory, and signs the user out', async () => {
  const user = await newVerifiedUser(server.current)
  await request(server.current, 'POST', '/api/remember', {
    token: user.accessToken,
    body: { content: 'I plan to watch herons.' },
  })
  const landing = await agree(server.current, user, await redirectOf('signin'))
  expect(await (await fetch(landing)).json()).toEqual({
    email: user.email,
    memories: ['I plan to watch herons.'],
  })
  const gone = await open(server.current, user.refreshToken, await redirectOf('signout'))
  expect([gone.status, gone.headers.get('location')]).toEqual([303, home])
})
