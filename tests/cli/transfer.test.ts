import { expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '../harness/eventually.ts'
import { useSharedServer } from '../harness/server.ts'
import { type Machine, machineWithKey, newMachine } from './svc.ts'

const server = useSharedServer()

const pathOn = (machine: Machine, name: string) => join(machine.env.HOME ?? '', name)

const remembered = async (...texts: string[]) => {
  const { machine } = await machineWithKey(server.current)
  for (const text of texts) await machine.svc(['remember', text])
  return machine
}

test('an export is imported by another user, without duplicates', async () => {
  const machine = await remembered('Ada prefers tea.', 'Ben prefers coffee.')
  const file = pathOn(machine, 'memories.ndjson')
  expect(await machine.svc(['export', file])).toEqual({
    code: 0,
    stdout: '',
    stderr: `Exported 2 memories to ${file}.\n`,
  })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readdirSync(machine.env.HOME ?? '')).not.toContain('memories.ndjson.part')
  const { machine: other } = await machineWithKey(server.current)
  expect(await other.svc(['import', file])).toEqual({
    code: 0,
    stdout: '2 imported, 0 already stored, 0 failed\n',
    stderr:
      '2 are trusted less than in the file: they come from another account or organization.\n',
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

test('export writes to stdout, and import reads from a pipe', async () => {
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
  const result = await other.svc(['import', '-'], { stdin: Bun.gzipSync(stdout) })
  expect(result).toMatchObject({ code: 0, stdout: '2 imported, 0 already stored, 0 failed\n' })
})

test('failed lines are listed by number, and the others are imported', async () => {
  const machine = await remembered()
  const stdin = '{"content":"One."}\nnonsense\n{"content":""}\n'
  const result = await machine.svc(['import', '-'], { stdin })
  expect(result).toMatchObject({ code: 1, stdout: '1 imported, 0 already stored, 2 failed\n' })
  expect(result.stderr).toContain('2: Not JSON\n3: content_text: String should have at least 1')
  const asJson = await machine.svc(['import', '-', '--json'], { stdin })
  expect([asJson.code, JSON.parse(asJson.stdout).failed_count]).toEqual([1, 2])
})

test('a file without memories is an error of one line with a hint', async () => {
  const machine = await remembered()
  const path = pathOn(machine, 'notes.md')
  for (const [text, detail] of [
    ['# Notes\n\nBuy milk.\nCall Bo.\n', 'Not JSON'],
    ['{"name": "svc"}', 'Not a memory of any known format'],
    ['\xff\xfe', 'Not JSON'],
  ]) {
    writeFileSync(path, text ?? '')
    const result = await machine.svc(['import', path])
    expect([result.code, result.stdout]).toEqual([1, ''])
    const [error, hint, ...others] = result.stderr.trimEnd().split('\n')
    expect(error).toStartWith(
      `error: ${path} has no memories that can be imported (record 1: ${detail}`,
    )
    expect(hint).toContain('svc remember --file FILE')
    expect(others).toEqual([])
  }
})

test('--format sets the format, and an unknown one is a usage error', async () => {
  const machine = await remembered()
  const stdin = '[{"memory":"Ada likes tea."}]'
  const wrong = await machine.svc(['import', '-', '--format', 'claude'], { stdin })
  expect(wrong.stderr).toContain('record 1: Not a memory of claude')
  expect((await machine.svc(['import', '-', '--format', 'mem0'], { stdin })).code).toBe(0)
  expect((await machine.svc(['import', '-', '--format', 'xml'], { stdin })).code).toBe(2)
})

test('an unreadable or unwritable file is an error, and existing files are kept', async () => {
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
  'an export that %s ends leaves no partial file and keeps the existing one',
  async (signal) => {
    const machine = await remembered('Ada prefers tea.')
    const requested = Promise.withResolvers<void>()
    using slow = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: () => {
        const begun = new TextEncoder().encode('{"memory_id":"1"}\n')
        return new Response(
          new ReadableStream({
            start: (controller) => controller.enqueue(begun),
            pull: () => {
              requested.resolve()
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
    await requested.promise
    // The .part file exists as soon as svc has read the start of the response.
    await eventually(() => existsSync(`${file}.part`), { every: 5 })
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
  const result = await machine.svc(['export', file], { env: { SVC_API_KEY: 'svc_x' } })
  expect(result).toMatchObject({ code: 1, stdout: '' })
  expect(result.stderr).toMatch(/^error: (The service at|The response of) .*\n.*svc doctor\n$/)
  expect(readFileSync(file, 'utf8')).toBe('what was there\n')
  expect(existsSync(`${file}.part`)).toBe(false)
})

test('a closed stdout ends an export without an error', async () => {
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
