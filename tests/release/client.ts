/**
 * Uses the server at `http://127.0.0.1:3000` and prints the results as JSON. `client.ts first LINK` signs up and
 * uses each part once; `client.ts later KEY` reads what the first call wrote. A separate program, because it runs
 * in the network namespace of the server.
 */
import sharp from 'sharp'

const URL_BASE = 'http://127.0.0.1:3000'
const PASSWORD = 'correct horse battery staple'
const FACT = 'The spare key is under the blue pot.'
const [step, argument = ''] = process.argv.slice(2)

interface Sent {
  token?: string | undefined
  body?: unknown
  headers?: Record<string, string>
}

const send = (method: string, path: string, { token, body, headers }: Sent = {}) => {
  const isJson =
    body !== undefined && !(body instanceof FormData || body instanceof URLSearchParams)
  return fetch(new URL(path, URL_BASE), {
    method,
    headers: {
      ...headers,
      ...(token && { authorization: `Bearer ${token}` }),
      ...(isJson && typeof body !== 'string' && { 'content-type': 'application/json' }),
    },
    body: isJson ? (typeof body === 'string' ? body : JSON.stringify(body)) : (body ?? null),
  })
}

const json = async (response: Response) => {
  const text = await response.text()
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${text}`)
  return JSON.parse(text)
}

const recalled = async (token: string) => {
  const body = { query: 'Where is the spare key?' }
  const { memories } = await json(await send('POST', '/api/recall', { token, body }))
  return memories[0]?.content_text
}

const signUp = async (password: string) =>
  send('POST', '/api/auth/signup', {
    body: { email: 'ada@example.com', password, confirm_password: password },
  })

/** Opens the link that makes the user the admin, which also verifies the address. */
const claimAdmin = async (refreshCookie: string) =>
  (
    await send('POST', '/api/auth/admin/claim', {
      headers: { cookie: refreshCookie, origin: 'http://localhost:3000' },
      body: new URLSearchParams({ token: new URL(argument).searchParams.get('token') ?? '' }),
    })
  ).status

const uploadForm = (content: string | Uint8Array<ArrayBuffer>, name: string, type: string) => {
  const form = new FormData()
  form.set('file', new Blob([content], { type }), name)
  return form
}

const avatar = async (token: string) => {
  const picture = await sharp({
    create: { width: 300, height: 300, channels: 3, background: '#123' },
  })
    .png()
    .toBuffer()
  const body = uploadForm(new Uint8Array(picture), 'me.png', 'image/png')
  const { avatar_url } = await json(await send('POST', '/api/profile/avatar', { token, body }))
  const { format, width } = await sharp(
    await (await send('GET', avatar_url)).arrayBuffer(),
  ).metadata()
  return `${format} ${width}`
}

/** A thread whose memories form a path, so that the inner ones connect the others. */
const importThread = async (token: string) => {
  const lines = Array.from({ length: 150 }, (_, i) =>
    JSON.stringify({ content: `Line ${i} of the log.`, thread: 'log', position: i + 1 }),
  )
  // A record that a child process reads, because it is large.
  const large = JSON.stringify({
    content: 'A large record.',
    metadata: { notes: 'ü'.repeat(50_000) },
  })
  const response = await send('POST', '/api/memories/import', {
    token,
    headers: { 'content-type': 'application/x-ndjson' },
    body: [...lines, large].join('\n'),
  })
  return json(response)
}

const untilBridges = async (token: string) => {
  for (;;) {
    const found = await json(await send('GET', '/api/introspect/bridge-memories', { token }))
    // The import is linked in parts.
    if (found.total > 100) return true
    await Bun.sleep(50)
  }
}

const consoleFiles = async () => {
  const page = await (await send('GET', '/app')).text()
  const paths = [...page.matchAll(/"(\/app\/assets\/[^"]+)"/g)].map(([, path = '']) => path)
  const docs = [
    '/api/docs/swagger-ui.css',
    '/api/docs/start.js',
    '/favicon.svg',
    '/show-password.js',
    '/submit-once.js',
    '/passkey.js',
  ]
  const responses = await Promise.all([...paths, ...docs].map((path) => send('GET', path)))
  return [...new Set(responses.map(({ status }) => status))]
}

const first = async () => {
  const common = (await signUp('password123')).status
  const response = await signUp(PASSWORD)
  const [refreshCookie = ''] = response.headers.get('set-cookie')?.split(';') ?? []
  const { access_token: session } = await json(response)
  const admin = await claimAdmin(refreshCookie)
  const { key } = await json(
    await send('POST', '/api/auth/api-keys', { token: session, body: { name: 'test' } }),
  )
  const remembered = (await send('POST', '/api/remember', { token: key, body: { content: FACT } }))
    .status
  const chatted = await json(
    await send('POST', '/api/chat', {
      token: key,
      body: { message: 'Where is the spare key?', provider: 'local' },
    }),
  )
  const html = '<title>Notes</title><p>Ada likes tea.'
  const file = uploadForm(html, 'notes.html', 'text/html')
  return {
    key,
    common,
    admin,
    remembered,
    recalled: await recalled(key),
    chatted: chatted.message.content,
    avatar: await avatar(key),
    hasText: (await json(await send('POST', '/api/files', { token: key, body: file }))).has_text,
    imported: await importThread(key),
    hasBridges: await untilBridges(key),
    files: await consoleFiles(),
  }
}

console.log(JSON.stringify(step === 'first' ? await first() : await recalled(argument)))
