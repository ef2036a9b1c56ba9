import { expect, test } from 'bun:test'
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { useSharedServer } from '../harness/server.ts'
import { inTerminal, type Machine, machineWithKey } from './svc.ts'

const server = useSharedServer()

const remembering = async (...texts: string[]) => {
  const { machine } = await machineWithKey(server.current)
  const ids: string[] = []
  for (const text of texts) ids.push((await machine.svc(['remember', text])).stdout.trim())
  return { machine, ids, id: ids[0] ?? '' }
}

/** An editor that runs a command on the file. */
const editor = (machine: Machine, script: string) => {
  const path = join(machine.env.HOME ?? '', 'editor with a space')
  writeFileSync(path, `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o755)
  return { EDITOR: `'${path}' --wait`, VISUAL: '', TMPDIR: machine.env.HOME ?? '' }
}

test('remember reads a file', async () => {
  const { machine } = await remembering()
  const path = join(machine.env.HOME ?? '', 'note.md')
  writeFileSync(path, '# Shed\n\nThe key is inside.\n')
  const result = await machine.svc(['remember', '--file', path, '--json'])
  expect(JSON.parse(result.stdout).content_text).toBe('# Shed\n\nThe key is inside.')
  expect(await machine.svc(['remember', '--file', `${path}x`])).toMatchObject({
    code: 2,
    stdout: '',
  })
  expect(await machine.svc(['remember', '--file', path, 'text'])).toMatchObject({ code: 2 })
})

test('list prints the newest first and continues at the cursor', async () => {
  const { machine, ids } = await remembering('One.', 'Two.', 'Three.')
  const first = await machine.svc(['memories', 'list', '--limit', '2'])
  const rows = first.stdout.trimEnd().split('\n')
  expect(rows[0]).toMatch(/^ID +DATE +TYPE +MEMORY$/)
  expect(rows.slice(1).map((row) => row.split(/ {2,}/)[3])).toEqual(['Three.', 'Two.'])
  const [, cursor = ''] = /--cursor (\S+)/.exec(first.stderr) ?? []
  const second = await machine.svc(['memories', 'list', '--cursor', cursor, '--json'])
  expect(JSON.parse(second.stdout)).toMatchObject({
    memories: [{ memory_id: ids[0] }],
    next_cursor: null,
  })
  const typed = await machine.svc(['memories', 'list', '--type', 'episodic'])
  expect(typed).toMatchObject({ code: 0, stdout: '' })
  expect(await machine.svc(['memories', 'list', '--limit', '0'])).toMatchObject({ code: 2 })
})

test('a limit above one page is fetched page by page', async () => {
  const { machine } = await remembering()
  const lines = Array.from({ length: 130 }, (_, i) => `{"content":"Memory ${i}."}`).join('\n')
  await machine.svc(['import', '-'], { stdin: lines })
  const result = await machine.svc(['memories', 'list', '--limit', '120', '--json'])
  const { memories, next_cursor } = JSON.parse(result.stdout)
  expect(new Set(memories.map((each: { memory_id: string }) => each.memory_id)).size).toBe(120)
  expect(next_cursor).not.toBeNull()
})

test('rows fit the width of a terminal and are complete in a pipe', async () => {
  const text = `茶 ${'wide 漢字 and more '.repeat(10)}`
  const { machine } = await remembering(text)
  const { child, seen } = inTerminal(machine, ['memories', 'list'], {}, 90)
  expect(await child.exited).toBe(0)
  const rows = seen().trimEnd().split('\r\n')
  expect(rows).toHaveLength(2)
  expect(Bun.stringWidth(rows[1] ?? '')).toBeLessThanOrEqual(90)
  expect(rows[1]).toEndWith('…')
  expect((await machine.svc(['memories', 'list'])).stdout).toContain(text.trim())
})

test('a narrow terminal drops the type column', async () => {
  const { machine, id } = await remembering('The spare key is under the blue pot.')
  const { child, seen } = inTerminal(machine, ['memories', 'list'], {}, 50)
  expect(await child.exited).toBe(0)
  const short = id.slice(0, 8)
  expect(seen()).toMatch(new RegExp(`^${short}  \\S{10}  The spare key is under the…`, 'm'))
})

test('a list marks superseded memories, also in a narrow terminal', async () => {
  const { machine, id } = await remembering('The heron is grey.')
  expect((await machine.svc(['list'])).stdout).not.toContain('STATE')
  const fields = ['content=The heron is white.', `supersedes=${id}`].flatMap((each) => ['-f', each])
  const stored = await machine.svc(['api', 'POST', '/api/remember', ...fields])
  expect(stored.code).toBe(0)
  const lines = (await machine.svc(['list'])).stdout.split('\n')
  expect(lines.find((line) => line.includes('grey'))).toContain('superseded')
  expect(lines.find((line) => line.includes('white'))).not.toContain('superseded')
  const { child, seen } = inTerminal(machine, ['list'], {}, 46)
  await child.exited
  expect(seen()).toContain('superseded')
  expect(seen()).not.toContain('TYPE')
})

test('show prints a memory with its metadata', async () => {
  const { machine } = await remembering()
  const { stdout } = await machine.svc([
    ...['remember', '--author', 'Ada', '--tag', 'house', '--thread', 'shed', 'The shed is green.'],
  ])
  const shown = await machine.svc(['memories', 'show', stdout.trim()])
  expect(shown.stdout).toStartWith('The shed is green.\n\n')
  for (const line of [`id            ${stdout.trim()}`, 'tags          house', 'author        Ada'])
    expect(shown.stdout.split('\n')).toContain(line)
  const missing = await machine.svc(['memories', 'show', crypto.randomUUID()])
  expect(missing).toMatchObject({ code: 1, stdout: '' })
  expect(missing.stderr).toContain('svc memories list')
})

test('edit changes the given fields, and history shows the previous text', async () => {
  const { machine, id } = await remembering('The shed is green.')
  const result = await machine.svc([
    ...['memories', 'edit', id, '--content', 'The shed is blue.', '--tag', 'house', '--json'],
  ])
  expect(JSON.parse(result.stdout)).toMatchObject({
    content_text: 'The shed is blue.',
    tags: ['house'],
  })
  const cleared = await machine.svc(['memories', 'edit', id, '--clear-tags', '--json'])
  expect(JSON.parse(cleared.stdout)).toMatchObject({ content_text: 'The shed is blue.', tags: [] })
  await machine.svc(['memories', 'edit', id, '--content', '-'], { stdin: 'It is red.\n' })
  const history = await machine.svc(['memories', 'history', id])
  expect(history.stdout).toMatch(/created .*\n.*updated .*The shed is green\.\n/)
  expect(await machine.svc(['memories', 'edit', id])).toMatchObject({ code: 2, stdout: '' })
  expect(await machine.svc(['memories', 'edit', id, '--content', ' '])).toMatchObject({ code: 2 })
})

test('edit opens the text in an editor, in a private temporary file', async () => {
  const { machine, id } = await remembering('The shed is green.')
  const env = editor(
    machine,
    'test "$1" = --wait || exit 9\nls -l "$2" > "$HOME/seen"\necho "The shed is yellow." > "$2"',
  )
  const { child, seen } = inTerminal(machine, ['memories', 'edit', id], env)
  expect(await child.exited).toBe(0)
  expect(seen()).toContain('svc memories history')
  expect(readFileSync(join(machine.env.HOME ?? '', 'seen'), 'utf8')).toStartWith('-rw-------')
  expect(readdirSync(machine.env.HOME ?? '').filter((name) => name.startsWith('svc-edit'))).toEqual(
    [],
  )
  expect((await machine.svc(['memories', 'show', id])).stdout).toContain('The shed is yellow.')
})

test.each([
  ['leaves the file as it is', 'true', 0, 'No changes'],
  ['fails', 'exit 3', 1, 'exited with code 3'],
  ['empties the file', ': > "$2"', 1, 'svc memories delete'],
])('an editor that %s changes nothing', async (_, script, code, message) => {
  const { machine, id } = await remembering('The shed is green.')
  const { child, seen } = inTerminal(machine, ['memories', 'edit', id], editor(machine, script))
  expect(await child.exited).toBe(code)
  expect(seen()).toContain(message)
  expect((await machine.svc(['memories', 'show', id])).stdout).toContain('The shed is green.')
})

test('a deleted memory is not listed until it is restored', async () => {
  const { machine, id } = await remembering('The shed is green.')
  const result = await machine.svc(['memories', 'delete', id])
  expect(result).toMatchObject({ code: 0, stdout: '' })
  expect(result.stderr).toContain(`svc memories restore ${id}`)
  expect((await machine.svc(['memories', 'show', id])).code).toBe(1)
  expect((await machine.svc(['memories', 'history', id])).stdout).toContain('deleted')
  expect(await machine.svc(['memories', 'restore', id])).toMatchObject({
    code: 0,
    stdout: `${id}\n`,
  })
  expect((await machine.svc(['memories', 'show', id])).code).toBe(0)
})

test('a permanent deletion needs --yes and cannot be restored', async () => {
  const { machine, id } = await remembering('The shed is green.')
  const unconfirmed = await machine.svc(['memories', 'delete', id, '--permanent'])
  expect(unconfirmed).toMatchObject({ code: 2, stdout: '' })
  expect(unconfirmed.stderr).toContain('--permanent --yes')
  const result = await machine.svc(['memories', 'delete', id, '--permanent', '--yes', '--json'])
  expect(JSON.parse(result.stdout)).toEqual({ memory_id: id, deleted: true, permanent: true })
  expect((await machine.svc(['memories', 'restore', id])).code).toBe(1)
})

test.each([
  ['y\r', 0, 1],
  ['n\r', 0, 0],
  ['\r', 0, 0],
  ['\x04', 0, 0],
  ['\x03', 130, 0],
])('at a terminal delete asks, and %j decides', async (typed, code, isDeleted) => {
  const { machine, id } = await remembering('The shed is green.')
  const { child, type, sees, seen } = inTerminal(machine, ['memories', 'delete', id])
  await sees(/The shed is green\.[\s\S]*Delete it\? \[y\/N\] /)
  type(typed)
  expect(await child.exited).toBe(code)
  if (code === 0 && !isDeleted) expect(seen()).toContain('Nothing was deleted.\r\n')
  if (code === 130) expect(seen()).toEndWith('\r\nInterrupted.\r\n')
  expect((await machine.svc(['memories', 'show', id])).code).toBe(isDeleted)
  expect(existsSync(machine.credentialsFile)).toBe(true)
})
