/**
 * Walks from a fresh clone to the first recall as the README tells it, and writes down there what was
 * typed and what came: `bun scripts/walk.ts`. The browser's part is done over HTTP. The port, and the
 * folder, are written as a reader will have them.
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
  // npm's own news is none of svc's.
  npm_config_update_notifier: 'false',
  npm_config_loglevel: 'error',
}
const lines: string[] = []

/** A command as it is typed; what it says is noted, and told to whoever looks on. */
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

/** @param alone as the first of a group of processes, which can be ended together. */
const spawn = (command: string, alone = false) =>
  Bun.spawn(['sh', '-c', `exec 2>&1; ${command}`], {
    cwd: clone,
    env,
    stdin: 'ignore',
    stdout: 'pipe',
    detached: alone,
  })

/** Starts the service, and notes what it says until it runs. */
const startServer = async () => {
  const child = spawn('exec npm start --silent', true)
  const reader = child.stdout.getReader()
  const decoder = new TextDecoder()
  let text = ''
  while (!/Sign in .*\n/.test(text)) {
    const { done, value } = await reader.read()
    if (done) throw new Error(`npm start ended: ${text}`)
    text += decoder.decode(value, { stream: true })
  }
  const said = /svc is running\.[\s\S]*?Sign in .*/.exec(text)?.[0] ?? ''
  lines.push('$ npm start', said, '')
  return child
}

/** What the person does in the browser: makes an account, and allows the terminal to use it. */
const approve = async (userCode: string): Promise<void> => {
  const post = async (path: string, body: object, token?: string) => {
    const answer = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
    return (await answer.json()) as { access_token: string }
  }
  const password = crypto.randomUUID()
  const { access_token } = await post('/api/auth/signup', {
    ...{ email: 'ada@example.com', password, confirm_password: password },
  })
  await post('/api/auth/mcp/authorize', { user_code: userCode, approve: true }, access_token)
}

const asReadersHaveIt = (text: string): string =>
  text
    .replaceAll(` --url ${url}`, '')
    .replaceAll(url, 'http://localhost:3000')
    .replaceAll(clone, '/home/ada/svc')

try {
  const cloned = Bun.spawnSync(['git', 'clone', '--quiet', root, clone])
  if (!cloned.success) throw new Error(cloned.stderr.toString())
  const startedAt = performance.now()
  const server = await startServer()
  let approved: Promise<void> | undefined
  try {
    await run('npx bun cli/main.ts login', (text) => {
      const code = /Code {3}(\S+)/.exec(text)?.[1]
      if (code) approved ??= approve(code)
    })
    await approved
    await run('npx bun cli/main.ts remember "The spare key is under the blue pot."')
    await run('npx bun cli/main.ts recall "Where is the spare key?"')
  } finally {
    // Not npm alone: it would leave the service behind.
    process.kill(-server.pid, 'SIGTERM')
    await server.exited
  }
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  const recorded = `\`\`\`console\n${asReadersHaveIt(lines.join('\n')).trimEnd()}\n\`\`\``
  const text = readFileSync(readme, 'utf8')
  const marked = /(<!-- walk -->\n)[\s\S]*?(<!-- \/walk -->)/
  if (!marked.test(text)) throw new Error('README.md has no place for it')
  writeFileSync(
    readme,
    text.replace(marked, (_, begin, end) => `${begin}${recorded}\n${end}`),
  )
  console.log(`From npm start to the first recall in ${seconds} s; README.md has it.`)
} finally {
  rmSync(dir, { recursive: true, force: true })
}
