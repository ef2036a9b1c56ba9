import { expect, test } from 'bun:test'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { useSharedServer } from '../harness/server.ts'
import { inSystemTerminal, inTerminal, type Machine, machineWithKey } from './svc.ts'

const server = useSharedServer()

/** A machine with more memories than rows of the terminal, which has 50. */
const machineWithMemories = async (count = 60) => {
  const { machine } = await machineWithKey(server.current)
  const lines = Array.from({ length: count }, (_, i) => `{"content":"Memory ${i}."}`)
  await machine.svc(['import', '-'], { stdin: lines.join('\n') })
  return machine
}

/** A pager that marks its output, and stores its arguments. */
const fakePager = (machine: Machine) => {
  const path = join(machine.env.HOME ?? '', 'pager')
  const used = join(machine.env.HOME ?? '', 'used')
  writeFileSync(path, `#!/bin/sh\necho "$@" > ${used}\nsed 's/^/| /'\n`)
  chmodSync(path, 0o755)
  return { path, used }
}

const list = ['memories', 'list', '--limit', '55']

test('a long list opens in the pager, and messages follow it', async () => {
  const machine = await machineWithMemories()
  const { path, used } = fakePager(machine)
  const { child, seen } = inTerminal(machine, list, { PAGER: `${path} --some option` })
  expect(await child.exited).toBe(0)
  expect(readFileSync(used, 'utf8')).toBe('--some option\n')
  expect(seen()).toMatch(
    /\| \S+ +\S+ +semantic +imported +Memory 59\.\r\n[\s\S]*\| .*Memory 5\.\r\nFor more,/,
  )
})

test('SVC_PAGER overrides PAGER', async () => {
  const machine = await machineWithMemories()
  const { path } = fakePager(machine)
  const { child, seen } = inTerminal(machine, list, { PAGER: 'false', SVC_PAGER: path })
  expect(await child.exited).toBe(0)
  expect(seen()).toContain('| ID')
})

test.each([
  ['with --no-pager', [...list, '--no-pager'], {}],
  ['with cat as the pager', list, { SVC_PAGER: 'cat' }],
  ['for a short list', ['memories', 'list', '--limit', '5'], {}],
  ['for JSON', [...list, '--json'], {}],
  ['on a dumb terminal', list, { TERM: 'dumb' }],
])('%s there is no pager', async (_, args, env) => {
  const machine = await machineWithMemories()
  const { path, used } = fakePager(machine)
  const { child, seen } = inTerminal(machine, args, { PAGER: path, ...env })
  expect(await child.exited).toBe(0)
  expect(seen()).toContain('Memory 59.')
  expect(existsSync(used)).toBe(false)
})

test('a pipe has no pager', async () => {
  const machine = await machineWithMemories()
  const { path, used } = fakePager(machine)
  const result = await machine.svc(list, { env: { PAGER: path } })
  expect(result.stdout).toContain('Memory 59.')
  expect(existsSync(used)).toBe(false)
})

test('a pager that does not exist is skipped', async () => {
  const machine = await machineWithMemories()
  const { child, seen } = inTerminal(machine, list, { PAGER: 'no-such-pager' })
  expect(await child.exited).toBe(0)
  expect(seen()).toContain('Memory 59.')
})

test('a pager that the user quits early ends the command with success', async () => {
  const machine = await machineWithMemories(1_000)
  const { child, seen } = inTerminal(machine, ['memories', 'list', '--limit', '900'], {
    PAGER: 'head -n 2',
  })
  expect(await child.exited).toBe(0)
  expect(seen()).toContain('Memory 999.')
  expect(seen()).not.toContain('Memory 900.')
})

test('Ctrl-C goes to the pager', async () => {
  const machine = await machineWithMemories()
  const path = join(machine.env.HOME ?? '', 'pager')
  writeFileSync(
    path,
    "#!/bin/sh\ntrap 'echo stopped; exit' INT\necho ready\nread line < /dev/tty\n",
  )
  chmodSync(path, 0o755)
  const { child, sees, type } = inSystemTerminal(machine, list, { PAGER: path })
  await sees(/ready/)
  type('\x03')
  await sees(/stopped[\s\S]*For more, run:/)
  expect(await child.exited).toBe(0)
})

test.skipIf(!process.env.CI && !Bun.which('less'))('less is the default', async () => {
  const machine = await machineWithMemories()
  const { child, sees, type, seen } = inSystemTerminal(machine, list)
  await sees(/Memory 59\.[\s\S]*\n:/)
  expect(seen()).not.toContain('Memory 5.')
  type('q')
  expect(await child.exited).toBe(0)
  expect(seen()).toContain('For more, run:')
})
