import { expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { useServer } from '../harness/server.ts'
import { type Machine, machineWithKey, newMachine } from './svc.ts'

const server = useServer()

const pathOn = (machine: Machine, name: string) => join(machine.env.HOME ?? '', name)

const remembered = async (...texts: string[]) => {
  const { machine } = await machineWithKey(server.current)
  for (const text of texts) await machine.svc(['remember', text])
  return machine
}

test('what is exported to a file is imported by somebody else, once', async () => {
  const machine = await remembered('Ada prefers tea.', 'Ben prefers coffee.')
  const file = pathOn(machine, 'memories.ndjson')
  expect(await machine.svc(['export', file])).toEqual({
    code: 0,
    stdout: '',
    stderr: `2 memories in ${file}.\n`,
  })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readdirSync(machine.env.HOME ?? '')).not.toContain('memories.ndjson.part')
  const { machine: other } = await machineWithKey(server.current)
  expect(await other.svc(['import', file])).toEqual({
    code: 0,
    stdout: '2 imported, 0 there already, 0 failed\n',
    stderr: '',
  })
  const again = await other.svc(['import', file, '--json'])
  expect(JSON.parse(again.stdout)).toEqual({
    imported: 0,
    deduplicated: 2,
    failed_count: 0,
    failed: [],
  })
  expect((await other.svc(['recall', 'What does Ada prefer?'])).stdout).toContain(
    'Ada prefers tea.',
  )
})

test('an export goes to stdout, and an import comes from a pipe', async () => {
  const machine = await remembered('Ada prefers tea.', 'A control \u009b character.')
  const { code, stdout, stderr } = await machine.svc(['export'])
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).not.toContain('\u009b')
  const contents = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).content_text)
  expect(contents).toEqual(['Ada prefers tea.', 'A control \u009b character.'])
  const { machine: other } = await machineWithKey(server.current)
  const ended = await other.svc(['import', '-'], { stdin: Bun.gzipSync(stdout) })
  expect(ended).toMatchObject({ code: 0, stdout: '2 imported, 0 there already, 0 failed\n' })
})

test('what could not be taken is told by number, and the rest is there', async () => {
  const machine = await remembered()
  const stdin = '{"content":"One."}\nnonsense\n{"content":""}\n'
  const ended = await machine.svc(['import', '-'], { stdin })
  expect(ended).toMatchObject({ code: 1, stdout: '1 imported, 0 there already, 2 failed\n' })
  expect(ended.stderr).toContain('2: Not JSON\n3: content_text: String should have at least 1')
  const asJson = await machine.svc(['import', '-', '--json'], { stdin })
  expect([asJson.code, JSON.parse(asJson.stdout).failed_count]).toEqual([1, 2])
})

test('the format can be said, and one that is not there is a usage error', async () => {
  const machine = await remembered()
  const stdin = '[{"memory":"Ada likes tea."}]'
  const wrong = await machine.svc(['import', '-', '--format', 'claude'], { stdin })
  expect(wrong.stderr).toContain('1: Not a memory of claude')
  expect((await machine.svc(['import', '-', '--format', 'mem0'], { stdin })).code).toBe(0)
  expect((await machine.svc(['import', '-', '--format', 'xml'], { stdin })).code).toBe(2)
})

test('a file that cannot be read or written is told, and what is there stays', async () => {
  const machine = await remembered('Ada prefers tea.')
  const missing = await machine.svc(['import', pathOn(machine, 'nowhere.ndjson')])
  expect(missing).toMatchObject({ code: 2, stdout: '' })
  expect(missing.stderr).toContain('Cannot read')
  expect(await machine.svc(['import', machine.env.HOME ?? ''])).toMatchObject({ code: 2 })
  const nowhere = await machine.svc(['export', pathOn(machine, 'no/such/file')])
  expect(nowhere).toMatchObject({ code: 1, stdout: '' })
  expect(nowhere.stderr).toContain('Cannot write')
})

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'an export that %s ends leaves no half of a file, and what was there',
  async (signal) => {
    const machine = await remembered('Ada prefers tea.')
    const asked = Promise.withResolvers<void>()
    using slow = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: () => {
        const begun = new TextEncoder().encode('{"memory_id":"1"}\n')
        return new Response(
          new ReadableStream({
            start: (controller) => controller.enqueue(begun),
            pull: () => {
              asked.resolve()
              return new Promise(() => {})
            },
          }),
          { headers: { 'content-type': 'application/x-ndjson' } },
        )
      },
    })
    const file = pathOn(machine, 'memories.ndjson')
    writeFileSync(file, 'what was there\n')
    const child = Bun.spawn(machine.command('export', file), {
      env: { ...machine.env, SVC_URL: slow.url.origin, SVC_API_KEY: 'svc_x' },
      stderr: 'pipe',
    })
    await asked.promise
    // The part is there as soon as svc has read the beginning of the answer.
    while (!existsSync(`${file}.part`)) await Bun.sleep(5)
    child.kill(signal)
    expect(await child.exited).toBe(130)
    expect(await child.stderr.text()).toBe('Interrupted.\n')
    expect(readFileSync(file, 'utf8')).toBe('what was there\n')
    expect(existsSync(`${file}.part`)).toBe(false)
  },
)

test.each<[string, string, string]>([
  ['is no export', 'text/html', '<h1>Sign in to the network</h1>'],
  ['is cut off within a line', 'application/x-ndjson', '{"memory_id":"1"}\n{"memory_id":'],
  ['holds a line that is not JSON', 'application/x-ndjson', 'nonsense\n'],
])('an answer that %s does not replace what was exported before', async (_, type, body) => {
  using other = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () => new Response(body, { headers: { 'content-type': type } }),
  })
  const machine = newMachine(other.url.origin)
  const file = pathOn(machine, 'memories.ndjson')
  writeFileSync(file, 'what was there\n')
  const ended = await machine.svc(['export', file], { env: { SVC_API_KEY: 'svc_x' } })
  expect(ended).toMatchObject({ code: 1, stdout: '' })
  expect(ended.stderr).toMatch(/^error: (What answers|The answer of) .*\n.*svc doctor\n$/)
  expect(readFileSync(file, 'utf8')).toBe('what was there\n')
  expect(existsSync(`${file}.part`)).toBe(false)
})

test('a reader that has seen enough ends an export without a complaint', async () => {
  const machine = await remembered('Ada prefers tea.')
  const words = machine.command('export').map((word) => `'${word}'`)
  const child = Bun.spawn(['bash', '-c', `set -o pipefail; ${words.join(' ')} | true`], {
    env: machine.env,
    stdout: 'pipe',
    stderr: 'pipe',
  })
  expect(await child.stderr.text()).toBe('')
  expect(await child.exited).toBe(0)
})
