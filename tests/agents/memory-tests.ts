import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from '../../shared/client.ts'
import { listMemories } from '../../shared/contract/index.ts'
import { type Machine, machineWithKey } from '../cli/svc.ts'
import { createDatabase } from '../harness/database.ts'
import { eventually } from '../harness/eventually.ts'
import { newVerifiedUser } from '../harness/http.ts'
import { quietPort } from '../harness/ports.ts'
import { newUser, startServer } from '../harness/server.ts'
import {
  connect,
  runAssistant,
  type SentMessage,
  type TestedAssistant,
  turnsOf,
} from './assistants.ts'
import { type ScriptedModel, startScriptedModel } from './scripted-model.ts'

const FACT = 'The cat of my neighbour Ada is called Minka.'
const QUESTION = 'What is the cat of my neighbour Ada called?'
const ANSWER = 'All right.'

/** Runs a new process of the assistant with one prompt. */
const ask = async (
  assistant: TestedAssistant,
  machine: Machine,
  prompt: string,
  modelKey = 'none',
): Promise<void> => {
  const folder = join(machine.env.HOME ?? '', 'shop')
  mkdirSync(folder, { recursive: true })
  const { code, stdout, stderr } = await runAssistant(assistant, machine, {
    prompt,
    folder,
    modelKey,
  })
  expect({ code, stdout, stderr }).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(ANSWER),
  })
}

/** The stored messages, oldest first. */
const storedBy = async (client: Client): Promise<unknown[][]> => {
  const { memories } = await client.call(listMemories, { query: { limit: 100 } })
  return memories
    .toReversed()
    .map(({ author, content_text, source }) => [
      source?.ref,
      author === 'assistant' ? 'assistant' : 'user',
      content_text,
    ])
}

const textOf = (messages: readonly SentMessage[] = []) =>
  messages.map(({ text }) => text).join('\n')

/** A message of the user whose text is unchanged. Memories are in a part or a message of their own. */
const isPrompt =
  (prompt: string) =>
  ({ role, text }: SentMessage): boolean =>
    role === 'user' && text.split('\n')[0] === prompt

const importOf = async (
  { client }: TestedAssistant,
  machine: Machine,
  env: Record<string, string> = {},
) => (await machine.svc(['import', '--from', client, '--yes'], { env })).stdout

/** The stored messages of two sessions. */
const conversations = (ref: string) => [
  [ref, 'user', FACT],
  [ref, 'assistant', ANSWER],
  [ref, 'user', QUESTION],
  [ref, 'assistant', ANSWER],
]

const expectStored = async (client: Client, expected: unknown[][]): Promise<void> => {
  await eventually(async () => (await storedBy(client)).length >= expected.length)
  expect(await storedBy(client)).toEqual(expected)
}

/** Expects that the model got a prompt with the memories of an earlier session, and called no tool. */
const expectRecalled = (assistant: TestedAssistant, model: ScriptedModel): void => {
  const [before, after = [], ...others] = turnsOf(assistant, model.requests)
  expect(others).toEqual([])
  expect(textOf(before)).not.toContain('<svc-memory>')
  expect(textOf(after)).toMatch(/<svc-memory>.*Minka.*<\/svc-memory>/s)
  expect(after.filter(isPrompt(QUESTION))).toHaveLength(1)
  const roles = [before ?? [], after].flat().map(({ role }) => role)
  expect(roles.filter((role) => !['system', 'developer', 'user'].includes(role))).toEqual([])
}

const testHooks = async (assistant: TestedAssistant): Promise<void> => {
  const { client: name } = assistant
  await using server = await startServer()
  await using model = startScriptedModel(ANSWER)
  const { machine, user } = await machineWithKey(server)
  await connect(assistant, machine, model)
  const expected = conversations(`hook:${name}`)

  await ask(assistant, machine, FACT)
  await expectStored(user.client, expected.slice(0, 2))
  await ask(assistant, machine, QUESTION)
  expectRecalled(assistant, model)
  await expectStored(user.client, expected)

  expect(await importOf(assistant, machine)).toBe('0 messages imported, 4 already stored\n')
  const other = await newUser(server)
  const imported = await importOf(assistant, machine, { SVC_API_KEY: other.key })
  expect(imported).toBe('4 messages imported, 0 already stored\n')
  expect(await storedBy(other.client)).toEqual(conversations(`import:${name}`))
}

const testServerDown = async (assistant: TestedAssistant): Promise<void> => {
  const database = await createDatabase()
  const env = { SVC_PORT: String(await quietPort()) }
  await using model = startScriptedModel(ANSWER)
  const first = await startServer(env, database)
  const { machine, user } = await machineWithKey(first)
  await connect(assistant, machine, model)
  await first.stop()
  await ask(assistant, machine, FACT)

  const second = await startServer(env, database)
  try {
    await ask(assistant, machine, QUESTION)
    await eventually(async () => (await storedBy(user.client)).length >= 4)
    const texts = (await storedBy(user.client)).map(([, , text]) => text)
    expect(texts.toSorted()).toEqual([ANSWER, ANSWER, FACT, QUESTION].toSorted())
    expect(await importOf(assistant, machine)).toBe('0 messages imported, 4 already stored\n')
    const prompts = [isPrompt(FACT), isPrompt(QUESTION)]
    for (const [index, messages] of turnsOf(assistant, model.requests).entries())
      expect(messages.filter(prompts[index] ?? (() => false))).toHaveLength(1)
  } finally {
    await second.stop()
    await database.drop()
  }
}

const testProvider = async (assistant: TestedAssistant): Promise<void> => {
  const { client: name } = assistant
  await using model = startScriptedModel(ANSWER)
  const operator = { SVC_OPENAI_BASE_URL: model.url, SVC_OPENAI_API_KEY: 'sk-of-the-operator' }
  await using server = await startServer({ ...operator, SVC_OPENAI_MODEL: 'scripted' })
  const { machine, user } = await machineWithKey(server, await newVerifiedUser(server))
  assistant.configure(machine, `${server.url}/api/openai/v1`)
  const expected = conversations(`proxy:${name}`)

  await ask(assistant, machine, FACT, user.key)
  await expectStored(user.client, expected.slice(0, 2))
  await ask(assistant, machine, QUESTION, user.key)
  expectRecalled(assistant, model)
  await expectStored(user.client, expected)

  // With hooks too, the memories are given once, and the turn is stored once.
  const connected = await machine.svc(['connect', name, '--yes'])
  expect(connected.code).toBe(0)
  await ask(assistant, machine, QUESTION, user.key)
  const last = turnsOf(assistant, model.requests).at(-1)
  expect(textOf(last).match(/<svc-memory>/g)).toHaveLength(1)
  await eventually(async () => (await storedBy(user.client)).length >= 6)
  // OpenCode gives the provider no id of a turn without the plugin: those are known by their places.
  expect(await importOf(assistant, machine)).toBe('0 messages imported, 6 already stored\n')
  expect(await storedBy(user.client)).toHaveLength(6)
}

/** The tests that every assistant with hooks passes. */
export const testMemoryOf = (assistant: TestedAssistant): void => {
  setDefaultTimeout(400_000)
  describe.skipIf(!assistant.program)(assistant.client, () => {
    test('a second session knows the fact of the first one, without a tool call', () =>
      testHooks(assistant))
    test('the turns of a session without a server are stored once it is back, each once', () =>
      testServerDown(assistant))
    test('svc as the provider of the model adds and stores each turn once, also beside hooks', () =>
      testProvider(assistant))
  })
}
