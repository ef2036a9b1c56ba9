import { expect, test } from 'bun:test'
import { deleteMemory, rememberBatch } from '../../shared/contract/index.ts'
import { useSharedServer } from '../harness/server.ts'
import { throughProxy } from './sync-proxy.ts'
import {
  currentOf,
  expectRepaired,
  filesIn,
  newSynced,
  type Synced,
  store,
  textsOf,
} from './sync-support.ts'

const server = useSharedServer()

const spawnSync = ({ machine, root }: Synced, ...options: string[]) =>
  Bun.spawn(machine.command('sync', root, ...options), {
    env: machine.env,
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
  })

/** Changes on both sides, of each kind. @param round makes the texts of each call different. */
const changeBoth = async (folder: Synced, round: number): Promise<string[]> => {
  const kept: string[] = []
  const add = (text: string) => {
    kept.push(text)
    return text
  }
  const files = filesIn(folder.root)
  const current = await currentOf(folder)
  for (const [i, path] of files.slice(0, 3).entries())
    folder.edit(path, (text) =>
      text.replace(/\n[^\n]*\n$/, () => `\n${add(`Edit ${i} of ${round}.`)}\n`),
    )
  if (files[3]) folder.remove(files[3])
  const idOf = (path: string | undefined) =>
    path ? /^id: (\S+)$/m.exec(folder.read(path))?.[1] : ''
  const superseded = idOf(files[4])
  if (superseded) await store(folder, add(`Superseding in ${round}.`), { supersedes: superseded })
  const forgotten = idOf(files[5])
  if (forgotten) await folder.user.client.call(deleteMemory, { params: { memory_id: forgotten } })
  const conflicting = idOf(files[0])
  if (conflicting && current.some(({ memory_id }) => memory_id === conflicting))
    await store(folder, add(`The other edit of ${round}.`), { supersedes: conflicting })
  for (let i = 0; i < 3; i++) {
    folder.write(`File ${round} ${i}.md`, add(`New file ${i} of ${round}.`))
    await store(folder, add(`New memory ${i} of ${round}.`))
  }
  return kept
}

test.each(['before', 'after'] as const)(
  'kill -9 %s any request is repaired by the next run, without duplicates',
  async (moment) => {
    const { proxy, folder } = await throughProxy(server)
    const plain = proxy.intercept
    const kept = await changeBoth(folder, 0)
    await expectRepaired(folder, kept)
    let isKilled = true
    for (let round = 1; isKilled && round < 25; round++) {
      kept.push(...(await changeBoth(folder, round)))
      isKilled = false
      let count = 0
      proxy.intercept = async (_, forward) => {
        if (++count !== round) return forward()
        isKilled = true
        if (moment === 'after') await (await forward()).bytes()
        child.kill('SIGKILL')
        return new Response(null, { status: 500 })
      }
      const child = spawnSync(folder, '--allow-deletes', '1000')
      await child.exited
      proxy.intercept = plain
      await expectRepaired(folder, kept)
    }
    expect(isKilled).toBe(false)
  },
)

test('kill -9 while files are written is repaired by the next run', async () => {
  const folder = await newSynced(server.current)
  for (const at of [1, 20, 60]) {
    const expected = filesIn(folder.root).length + at
    const memories = Array.from({ length: 100 }, (_, i) => ({ content: `Memory ${i} of ${at}.` }))
    await folder.user.client.call(rememberBatch, { body: { memories } })
    const child = spawnSync(folder)
    while (child.exitCode === null && filesIn(folder.root).length < expected) await Bun.sleep(1)
    child.kill('SIGKILL')
    await child.exited
    await expectRepaired(folder, [])
  }
})

test('kill -9 while edits of the account are written is repaired by the next run', async () => {
  const folder = await newSynced(server.current)
  const ids = []
  for (let i = 0; i < 60; i++) ids.push(await store(folder, `Memory ${i}.`))
  await folder.synced()
  for (const [i, id] of ids.entries()) await store(folder, `Edited ${i}.`, { supersedes: id })
  const child = spawnSync(folder)
  const isStarted = () => Object.values(folder.texts()).some((text) => text.startsWith('Edited'))
  while (child.exitCode === null && !isStarted()) await Bun.sleep(1)
  child.kill('SIGKILL')
  await child.exited
  await expectRepaired(
    folder,
    ids.map((_, i) => `Edited ${i}.`),
  )
  expect(filesIn(folder.root)).toHaveLength(60)
})

test.each([[[]], [['again']]])(
  'the memories that a run forgot before kill -9 are restored, after the runs %j',
  async (runs) => {
    const { proxy, folder } = await throughProxy(server)
    const plain = proxy.intercept
    for (let i = 0; i < 20; i++) folder.write(`Note ${i}.md`, `The number is ${i}.`)
    await folder.synced()
    const before = folder.texts()
    for (const i of [3, 5, 7]) folder.remove(`Note ${i}.md`)
    let count = 0
    proxy.intercept = async (path, forward) => {
      if (!path.startsWith('/api/memories/0')) return forward()
      if (++count === 1) return forward()
      child.kill('SIGKILL')
      return new Response(null, { status: 500 })
    }
    const child = spawnSync(folder)
    await child.exited
    expect(count).toBeGreaterThan(1)
    proxy.intercept = plain
    for (const _ of runs) await folder.synced()
    expect((await folder.sync('--undo')).stderr).toContain('Restored 3 memories.')
    expect(folder.texts()).toEqual(before)
    expect(await textsOf(folder)).toEqual(Object.values(before).toSorted())
  },
)
