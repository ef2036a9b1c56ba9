import { expect, test } from 'bun:test'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { talk } from '../../shared/contract/index.ts'
import { useSharedServer } from '../harness/server.ts'
import { inTerminal, machineWithKey } from './svc.ts'

const server = useSharedServer()

test('agents show prints the proposal of an agent, which agents edit accepts or declines', async () => {
  const { machine, user } = await machineWithKey(server.current)
  const speak = (proposed_mandate: string) =>
    user.client.call(talk, {
      body: { message: 'The build is green.', agent_slug: 'reviewer', proposed_mandate },
    })
  await speak('Review the builds.')
  await speak('Review the releases.')
  const shown = await machine.svc(['agents', 'show', 'REVIEWER'])
  expect(shown.stdout).toContain('mandate       Review the builds.\n')
  expect(shown.stdout).toEndWith('\nproposes:\nmandate       Review the releases.\n')
  const [, accept = ''] = /run: svc (.* --accept), or/.exec(shown.stderr) ?? []
  const accepted = await machine.svc([...accept.split(' '), '--json', 'mandate,proposal'])
  expect(JSON.parse(accepted.stdout)).toEqual({ mandate: 'Review the releases.', proposal: null })
  await speak('Review the tests.')
  await machine.svc(['agents', 'edit', 'reviewer', '--decline', '--boundary', 'Merge nothing.'])
  const { stdout } = await machine.svc(['agents', 'list', '--json', 'mandate,proposal,boundaries'])
  expect(JSON.parse(stdout)).toEqual([
    { mandate: 'Review the releases.', proposal: null, boundaries: ['Merge nothing.'] },
  ])
  const both = await machine.svc(['agents', 'edit', 'reviewer', '--decline', '--accept'])
  expect(both.code).toBe(2)
  const none = await machine.svc(['agents', 'edit', 'reviewer', '--accept'])
  expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('svc agents show reviewer')])
})

test('agents delete asks at a terminal and keeps the memories', async () => {
  const { machine } = await machineWithKey(server.current)
  await machine.svc(['talk', '--agent', 'reviewer', 'The build is green.'])
  const terminal = inTerminal(machine, ['agents', 'delete', 'reviewer'])
  await terminal.sees(/exchanges \(1\)\? Its memories are kept\. \[y\/N\] /)
  terminal.type('y\r')
  expect(await terminal.child.exited).toBe(0)
  expect((await machine.svc(['agents', 'list'])).stdout).toBe('')
  const missing = await machine.svc(['agents', 'show', 'reviewer'])
  expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('svc agents list')])
})

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

test('a downloaded file has the bytes of the uploaded one, in a private file or on stdout', async () => {
  const { machine } = await machineWithKey(server.current)
  machine.cwd = machine.env.HOME ?? ''
  const path = join(machine.cwd, 'pixel.png')
  writeFileSync(path, PNG)
  const { stdout: id } = await machine.svc(['files', 'upload', 'pixel.png'])
  expect((await machine.svc(['files', 'list'])).stdout).toContain('image/png  70     pixel.png\n')
  const kept = await machine.svc(['files', 'download', 'pixel.png'])
  expect([kept.code, kept.stderr]).toEqual([2, expect.stringContaining('--force')])
  writeFileSync(path, 'changed')
  await machine.svc(['files', 'download', id.slice(0, 8), '--force'])
  expect([readFileSync(path).equals(PNG), statSync(path).mode & 0o777]).toEqual([true, 0o600])
  const piped = await machine.start(['files', 'download', 'pixel.png', '-']).ended
  expect(piped.bytes.equals(PNG)).toBe(true)
  const unwritable = await machine.svc(['files', 'download', 'pixel.png', 'no/such/folder.png'])
  expect([unwritable.code, unwritable.stderr]).toEqual([
    1,
    expect.stringContaining('Cannot write no/such/folder.png'),
  ])
  expect((await machine.svc(['files', 'rm', 'pixel.png', '--yes'])).code).toBe(0)
  expect((await machine.svc(['files', 'download', 'pixel.png', 'other.png'])).code).toBe(1)
})
