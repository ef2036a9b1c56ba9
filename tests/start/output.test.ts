import { expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { inSystemTerminal, newMachine } from '../cli/svc.ts'
import { scratch } from './support.ts'

setDefaultTimeout(120_000)

const REQUEST = '"msg":"request"'

/** Runs `svc serve` in a terminal, sends a request and stops it. @returns everything it printed. */
const inTerminalWith = async (dataDir: string, env: Record<string, string>) => {
  const terminal = inSystemTerminal(newMachine(), ['serve'], {
    SVC_PORT: '0',
    SVC_DATA_DIR: dataDir,
    ...env,
  })
  const [, port] = await terminal.sees(/Open\s+http:\/\/localhost:(\d+)/)
  await terminal.sees(/token=\S+\s/)
  expect((await fetch(`http://127.0.0.1:${port}/api/ready`)).status).toBe(200)
  terminal.type('\x03')
  expect(await terminal.child.exited).toBe(0)
  const seen = terminal.seen().replaceAll('\r', '').replaceAll(`:${port}`, ':PORT')
  // A release is named as it was typed.
  return seen.replace(process.env.TEST_SVC ?? 'svc', 'svc')
}

test('svc serve prints the address, the data, the sign-in and the admin link, and no requests', async () => {
  using dir = scratch()
  const dataDir = join(dir.path, 'data')
  const shown = (await inTerminalWith(dataDir, {})).replace(/(?<=token=)[\w-]+/, 'TOKEN')
  expect(shown.replace(/\^C$/m, '')).toBe(`Creating the database in ${dataDir} …

svc is running.

  Open        http://localhost:PORT
  API         http://localhost:PORT/api/docs
  Data        ${dataDir}
  Sign in     svc login --url http://localhost:PORT

This link makes you the admin and verifies your address. Open it once, within 30 minutes:
http://localhost:PORT/admin/claim?token=TOKEN

`)
  expect(await inTerminalWith(dataDir, { SVC_LOG_LEVEL: 'debug' })).toContain(REQUEST)
})

test('svc serve logs each request as JSON when its output is no terminal', async () => {
  using dir = scratch()
  const machine = newMachine()
  const child = Bun.spawn(machine.command('serve'), {
    env: { ...machine.env, SVC_PORT: '0', SVC_DATA_DIR: join(dir.path, 'data') },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  let stderr = ''
  for await (const chunk of child.stderr.pipeThrough(new TextDecoderStream())) {
    stderr += chunk
    const [, port] = /Open\s+http:\/\/localhost:(\d+)[\s\S]*Sign in/.exec(stderr) ?? []
    if (!port || child.killed) continue
    await fetch(`http://127.0.0.1:${port}/api/ready`)
    child.kill('SIGTERM')
  }
  const lines = (await child.stdout.text()).trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toContainEqual(
    expect.objectContaining({ level: 'info', msg: 'request', route: '/api/ready', status: 200 }),
  )
})

test('svc serve accepts the options for the output, and refuses those of the client', async () => {
  using dir = scratch()
  const machine = newMachine()
  const terminal = inSystemTerminal(machine, ['--no-color', 'serve'], {
    SVC_PORT: '0',
    SVC_DATA_DIR: join(dir.path, 'data'),
  })
  await terminal.sees(/svc is running/)
  terminal.type('\x03')
  expect(await terminal.child.exited).toBe(0)
  expect((await machine.svc(['serve', 'now'])).code).toBe(2)
  expect((await machine.svc(['--url', 'localhost:3001', 'serve'])).code).toBe(2)
})
