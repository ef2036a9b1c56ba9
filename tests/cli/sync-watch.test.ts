import { expect, onTestFinished, test } from 'bun:test'
import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { deleteMemory } from '../../shared/contract/index.ts'
import { createDatabase } from '../harness/database.ts'
import { eventually } from '../harness/eventually.ts'
import { startServer, useSharedServer } from '../harness/server.ts'
import { currentOf, filesIn, newSynced, type Synced, store, textsOf } from './sync-support.ts'

const server = useSharedServer()

/** Follows a folder in a process of its own. */
const startWatch = (folder: Synced, ...options: string[]) => {
  const child = Bun.spawn(folder.machine.command('sync', '--watch', folder.root, ...options), {
    env: folder.machine.env,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  onTestFinished(() => child.kill('SIGKILL'))
  let shown = ''
  let printed = ''
  const collect = async (stream: ReadableStream<Uint8Array>, add: (text: string) => void) => {
    const decoder = new TextDecoder()
    for await (const chunk of stream) add(decoder.decode(chunk, { stream: true }))
  }
  const ended = Promise.all([
    collect(child.stderr, (text) => {
      shown += text
    }),
    collect(child.stdout, (text) => {
      printed += text
    }),
  ])
  const stop = async () => {
    child.kill('SIGINT')
    const code = await child.exited
    await ended
    return { code, stdout: printed, stderr: shown }
  }
  return { child, stop, shown: () => shown, printed: () => printed }
}

test('a watched folder and the account follow each other until Ctrl-C', async () => {
  const folder = await newSynced(server.current)
  const { client } = folder.user
  const watch = startWatch(folder)
  await eventually(() => watch.shown().includes('Watching.'))

  folder.write('Tea.md', 'Ada prefers tea.')
  await eventually(async () => (await textsOf(folder)).includes('Ada prefers tea.'))
  mkdirSync(join(folder.root, 'birds'))
  folder.write('birds/Heron.md', 'The heron is grey.')
  await eventually(async () => (await textsOf(folder)).includes('The heron is grey.'))

  const boiler = await store(folder, 'The boiler is blue.')
  await eventually(() => filesIn(folder.root).includes('The boiler is blue.md'))
  await store(folder, 'The boiler is green.', { supersedes: boiler })
  await eventually(() => folder.texts()['The boiler is blue.md'] === 'The boiler is green.')

  await eventually(() => /^id: /m.test(folder.read('Tea.md')))
  folder.edit('Tea.md', (text) => text.replace('tea.', 'coffee.'))
  await eventually(async () => (await textsOf(folder)).includes('Ada prefers coffee.'))
  renameSync(join(folder.root, 'birds/Heron.md'), join(folder.root, 'Heron.md'))
  rmSync(join(folder.root, 'Tea.md'))
  await eventually(async () => (await currentOf(folder)).length === 2)
  const heron = (await currentOf(folder)).find(({ content_text }) => /heron/.test(content_text))
  await client.call(deleteMemory, { params: { memory_id: heron?.memory_id ?? '' } })
  await eventually(() => filesIn(folder.root).length === 1)

  const { code, stdout, stderr } = await watch.stop()
  expect(code).toBe(0)
  expect(stderr).toEndWith('Stopped.\n')
  expect(stdout).toContain('remembered    Tea.md\n')
  expect(stdout).toContain('superseded    Tea.md\n')
  expect(stdout).toContain('forgotten     Tea.md\n')
  expect(stdout).toContain('new file      The boiler is blue.md\n')
  expect(stdout).toContain('deleted file  Heron.md\n')
  // The lock is free.
  expect((await folder.sync()).stdout).toBe('Everything is in sync.\n')
})

test('a watched folder prints each change as a line of JSON', async () => {
  const folder = await newSynced(server.current)
  const watch = startWatch(folder, '--json')
  folder.write('Tea.md', 'Ada prefers tea.')
  folder.write('Empty.md', '')
  await eventually(() => watch.printed().split('\n').length > 2)
  const lines = (await watch.stop()).stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines.find(({ action }) => action === 'remembered')).toMatchObject({ path: 'Tea.md' })
  expect(lines.find(({ action }) => action === 'skipped')).toMatchObject({ path: 'Empty.md' })
})

test('edits while the server is down are synced when it is back', async () => {
  const database = await createDatabase()
  onTestFinished(() => database.drop())
  const first = await startServer({}, database)
  const port = new URL(first.url).port
  const folder = await newSynced(first)
  const watch = startWatch(folder)
  folder.write('Tea.md', 'Ada prefers tea.')
  await eventually(() => /^id: /m.test(folder.read('Tea.md')))
  await first.stop()
  folder.edit('Tea.md', (text) => text.replace('tea.', 'coffee.'))
  await eventually(() => watch.shown().includes('Waiting for the server …'))
  folder.write('Heron.md', 'The heron is grey.')
  await using second = await startServer({ SVC_PORT: port }, database)
  expect(second.url).toBe(first.url)
  await eventually(async () => (await textsOf(folder)).length === 2)
  expect(await textsOf(folder)).toEqual(['Ada prefers coffee.', 'The heron is grey.'])
  await store(folder, 'The boiler is blue.')
  await eventually(() => filesIn(folder.root).includes('The boiler is blue.md'))
  const { code, stderr } = await watch.stop()
  expect(code).toBe(0)
  expect(stderr).toContain('The server is reachable again.')
})

test('a watched folder that vanishes ends the watch with an error, and forgets nothing', async () => {
  const folder = await newSynced(server.current)
  for (let i = 0; i < 10; i++) folder.write(`Note ${i}.md`, `The number is ${i}.`)
  const watch = startWatch(folder)
  await eventually(async () => (await currentOf(folder)).length === 10)
  await eventually(() => /^id: /m.test(folder.read('Note 9.md')))
  for (let i = 0; i < 10; i++) rmSync(join(folder.root, `Note ${i}.md`))
  expect(await watch.child.exited).toBe(1)
  expect(watch.shown()).toMatch(/\d+ of 10 files are missing/)
  expect((await currentOf(folder)).length).toBeGreaterThan(6)
})
