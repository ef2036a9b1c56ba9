/**
 * Runs the first steps of the README in a fresh clone and records the commands and their output there:
 * `bun scripts/walk.ts`. HTTP requests replace the browser. The recorded port, folder and one-time link
 * are replaced with example values.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dir, '..')
const readme = join(root, 'README.md')
const dir = mkdtempSync(join(tmpdir(), 'svc-walk-'))
const clone = join(dir, 'svc')

const freePort = () =>
  new Promise<number>((done) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => done(port))
    })
  })

const port = await freePort()
const url = `http://localhost:${port}`
const env = {
  PATH: process.env.PATH ?? '',
  HOME: process.env.HOME ?? dir,
  SVC_CONFIG_DIR: join(dir, 'config'),
  SVC_PORT: String(port),
  SVC_URL: url,
  // Disables the notices of npm.
  npm_config_update_notifier: 'false',
  npm_config_loglevel: 'error',
}
const lines: string[] = []

/** The end of the output of a first start. */
const ADMIN_LINK = /\/admin\/claim\?token=.*\n/

/** Runs a command and records its output. @param onText is called with the output so far. */
const run = async (command: string, onText: (text: string) => void = () => {}): Promise<void> => {
  const child = spawn(command)
  lines.push(`$ ${command}`)
  let text = ''
  for await (const part of child.stdout) {
    text += new TextDecoder().decode(part)
    onText(text)
  }
  if ((await child.exited) !== 0) throw new Error(`${command} failed: ${text}`)
  lines.push(text.trimEnd(), '')
}

const spawn = (command: string) =>
  Bun.spawn(['sh', '-c', `exec 2>&1; ${command}`], {
    cwd: clone,
    env,
    stdin: 'ignore',
    stdout: 'pipe',
  })

/** Starts the server and records what it prints until it is ready. */
const startServer = async () => {
  const child = spawn('exec npm start')
  const reader = child.stdout.getReader()
  const decoder = new TextDecoder()
  let text = ''
  while (!ADMIN_LINK.test(text)) {
    const { done, value } = await reader.read()
    if (done) throw new Error(`npm start ended: ${text}`)
    text += decoder.decode(value, { stream: true })
  }
  const shown = text.slice(text.indexOf('Creating the database'))
  lines.push('$ npm start', shown.trimEnd(), '')
  return child
}

/** Performs the steps in the browser: signs up and approves the terminal. */
const approve = async (userCode: string): Promise<void> => {
  const post = async (path: string, body: object, token?: string) => {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${path}: ${response.status}`)
    return (await response.json()) as { access_token: string }
  }
  const password = crypto.randomUUID()
  const { access_token } = await post('/api/auth/signup', {
    email: 'ada@example.com',
    password,
    confirm_password: password,
  })
  await post('/api/auth/mcp/authorize', { user_code: userCode, approve: true }, access_token)
}

const withExampleValues = (text: string): string =>
  text
    .replaceAll(` --url ${url}`, '')
    .replaceAll(url, 'http://localhost:3000')
    .replaceAll(clone, '/home/ada/svc')
    .replace(/token=\S+/, 'token=…')

try {
  const cloned = Bun.spawnSync(['git', 'clone', '--quiet', root, clone])
  if (!cloned.success) throw new Error(cloned.stderr.toString())
  const startedAt = performance.now()
  const server = await startServer()
  let approved: Promise<void> | undefined
  try {
    await run('./svc login', (text) => {
      const code = /Code {3}(\S+)/.exec(text)?.[1]
      if (code) approved ??= approve(code)
    })
    await approved
    await run('./svc remember "The spare key is under the blue pot."')
    await run('./svc recall "Where is the spare key?"')
  } finally {
    server.kill('SIGTERM')
    await server.exited
  }
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  const recorded = `\`\`\`console\n${withExampleValues(lines.join('\n')).trimEnd()}\n\`\`\``
  const text = readFileSync(readme, 'utf8')
  const marked = /(<!-- walk -->\n)[\s\S]*?(<!-- \/walk -->)/
  if (!marked.test(text)) throw new Error('README.md has no walk markers')
  writeFileSync(
    readme,
    text.replace(marked, (_, begin, end) => `${begin}${recorded}\n${end}`),
  )
  console.log(`npm start to the first recall: ${seconds} s; recorded in README.md`)
} finally {
  rmSync(dir, { recursive: true, force: true })
}
