import { expect, test } from 'bun:test'
import { resolve } from 'node:path'
import { setTimeout as until } from 'node:timers/promises'
import { listProactiveIntents, memoryFacts } from '../../shared/contract/index.ts'
import { type TestUser, useServer } from '../harness/server.ts'
import { newVerifiedUser } from './support.ts'

const server = useServer()

/** Runs the commands of a guide in their order, as they stand. @returns what each answered. */
const runGuide = async (
  name: string,
  user: TestUser,
  ids: (answers: Answer[]) => Ids | Promise<Ids> = () => ({}),
) => {
  const guide = await Bun.file(resolve(import.meta.dir, `../../docs/${name}.md`)).text()
  const commands = [...guide.matchAll(/^```sh\n(.*?)^```/gms)].flatMap(([, block = '']) =>
    block.trim().split(/\n(?=curl )/),
  )
  const answers: Answer[] = []
  for (const command of commands) {
    const here = command
      .replaceAll('http://localhost:3000', server.current.url)
      .replace('curl -s', 'curl -s --fail-with-body')
    const env = { PATH: process.env.PATH ?? '', SVC_API_KEY: user.key, ...(await ids(answers)) }
    const child = Bun.spawn(['bash', '-euc', here], { env, stdout: 'pipe' })
    const text = await child.stdout.text()
    expect([command, await child.exited, text]).toEqual([command, 0, text])
    const answer: Answer = JSON.parse(text)
    answers.push(answer)
    const memory_id = answer?.memory_id
    while (memory_id && (await user.client.call(memoryFacts, { params: { memory_id } })).pending)
      await until(20)
  }
  return answers
}

type Ids = Record<string, string>
type Answer = {
  memory_id?: string
  anchors?: object[]
  conflicts?: object[]
} | null

test('the commands of the guide to identity work as they are written', async () => {
  const user = await newVerifiedUser(server.current)
  const answers = await runGuide('identity', user)
  expect(answers.find((answer) => answer?.conflicts)).toMatchObject({
    conflicts: [{ anchor_key: 'home', values: [{ value: 'Lisbon' }, { value: 'Porto' }] }],
  })
  expect(answers.at(-1)).toBeNull()
})

test('the commands of the guide to what is brought up work as they are written', async () => {
  const user = await newVerifiedUser(server.current)
  const answers = await runGuide('proactive', user, async (before) => {
    if (before.length === 0) return {}
    for (;;) {
      const [intent] = await user.client.call(listProactiveIntents, { query: {} })
      if (intent) return { INTENT_ID: intent.intent_id }
      await until(20)
    }
  })
  expect(answers.find(Array.isArray)).toMatchObject([
    { kind: 'reminder', title: 'call Ada', weight: 3 },
  ])
  expect(answers.at(-1)).toEqual({})
})
