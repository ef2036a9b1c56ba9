import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { printTable } from '../../bench/lib/table.ts'
import { estimateTokens } from '../../server/platform/models/prompt.ts'
import { listMemories, remember } from '../../shared/contract/index.ts'
import type { Memory } from '../../shared/contract/memories.ts'
import { type Machine, signedInMachine } from '../cli/svc.ts'
import { runOn } from '../harness/cluster.ts'
import { createDatabase } from '../harness/database.ts'
import { eventually } from '../harness/eventually.ts'
import { newVerifiedUser } from '../harness/http.ts'
import { quietPort } from '../harness/ports.ts'
import { startServer, type TestServer, type TestUser } from '../harness/server.ts'
import { codex, connect, openCode, runAssistant, turnsOf } from './assistants.ts'
import { type ScriptedModel, startScriptedModel } from './scripted-model.ts'
import {
  PLANTED,
  PLANTED_WORDS,
  SECRET,
  SECRET_QUESTION,
  SECRET_WORDS,
  WEEK,
  type WeekTurn,
} from './week-script.ts'

setDefaultTimeout(600_000)

const assistants = { codex, opencode: openCode }
const CLIENTS = [codex, openCode]

interface Person {
  machine: Machine
  user: TestUser
}

/** A turn with the block that its model was given; empty for none. */
interface AnsweredTurn extends WeekTurn {
  block: string
}

interface Week extends AsyncDisposable {
  ada: Person
  /** Another member of the organization. */
  ben: Person
  model: ScriptedModel
  say(answer: string): void
  /** Makes everything stored a day older, and starts the server again. */
  nextDay(): Promise<void>
}

const git = (folder: string, ...args: string[]): void => {
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org']
  const { exitCode } = Bun.spawnSync(['git', ...identity, ...args], { cwd: folder })
  expect([args, exitCode]).toEqual([args, 0])
}

/** The folder of a turn; both projects have no remote. */
const folderOf = ({ env: { HOME = '' } }: Machine, project: string, isInWorktree = false) =>
  join(HOME, isInWorktree ? `${project}-fix` : project)

const createProject = (machine: Machine, project: string): void => {
  const folder = folderOf(machine, project)
  mkdirSync(folder)
  git(folder, 'init', '-q')
  git(folder, 'commit', '-q', '--allow-empty', '-m', 'first')
  git(folder, 'worktree', 'add', '-q', '--detach', folderOf(machine, project, true))
}

const stdoutOf = async ({ machine }: Person, ...args: string[]): Promise<string> => {
  const { code, stdout, stderr } = await machine.svc(args)
  expect([args, code, stderr]).toEqual([args, 0, expect.any(String)])
  return stdout.trim()
}

/** The organization of Ben with Ada as a member, and the statements of others. */
const plant = async (server: TestServer, ada: Person, ben: Person): Promise<void> => {
  await stdoutOf(ben, 'orgs', 'create', 'Acme')
  const link = await stdoutOf(ben, 'orgs', 'invite', ada.user.email, '--org', 'Acme')
  await stdoutOf(ada, 'orgs', 'join', link)
  for (const text of PLANTED.organization) await stdoutOf(ben, 'remember', text, '--org', 'Acme')
  const mallory = await newVerifiedUser(server)
  for (const content of PLANTED.person) await mallory.client.call(remember, { body: { content } })
  await ada.user.client.call(remember, { body: { content: SECRET } })
}

/** The encoder may have to load its model first; hooks wait no longer than this. */
const PATIENT = { recallBudgetMs: 500 }

const startWeek = async (): Promise<Week> => {
  const database = await createDatabase()
  const env = { SVC_PORT: String(await quietPort()), SVC_EMBEDDING: undefined }
  let server = await startServer(env, database, PATIENT)
  const newPerson = async () => signedInMachine(server, server.url, await newVerifiedUser(server))
  const [ada, ben] = [await newPerson(), await newPerson()]
  let answer = ''
  const model = startScriptedModel(() => answer)
  for (const project of ['shop', 'praxis']) createProject(ada.machine, project)
  for (const assistant of CLIENTS) await connect(assistant, ada.machine, model)
  await plant(server, ada, ben)
  return {
    ada,
    ben,
    model,
    say(text) {
      answer = text
    },
    async nextDay() {
      await server.stop()
      await runOn(
        database.env.SVC_DATABASE_URL,
        `update memories set created_at = created_at - interval '1 day',
          updated_at = updated_at - interval '1 day', occurred_at = occurred_at - interval '1 day'`,
      )
      server = await startServer(env, database, PATIENT)
    },
    async [Symbol.asyncDispose]() {
      await model[Symbol.asyncDispose]()
      await server.stop()
      await database.drop()
    },
  }
}

const memoriesOf = async ({ user }: Person): Promise<Memory[]> =>
  (await user.client.call(listMemories, { query: { limit: 100 } })).memories

const captured = (memories: Memory[]): Memory[] =>
  memories.filter(({ source }) => source?.ref?.startsWith('hook:'))

const BLOCK = /<svc-memory>.*?<\/svc-memory>/s

/** Runs a turn in a new process, and waits until it is stored. */
const runTurn = async (week: Week, turn: WeekTurn, stored: () => Promise<number>, messages = 2) => {
  const { ada, model } = week
  const before = await stored()
  const asked = model.requests.length
  week.say(turn.answer)
  const assistant = assistants[turn.client]
  const { code, stderr } = await runAssistant(assistant, ada.machine, {
    prompt: turn.prompt,
    folder: folderOf(ada.machine, turn.project, turn.isInWorktree),
  })
  expect([code, code === 0 ? '' : stderr]).toEqual([0, ''])
  // On a busy machine the server may have been too slow for the hooks, which then leave it alone for a minute.
  await eventually(async () => {
    await ada.machine.svc(['spool'])
    return (await stored()) >= before + messages
  })
  const sent = turnsOf(assistant, model.requests.slice(asked))
  const texts = sent.flat().map(({ text }) => text)
  return { ...turn, block: BLOCK.exec(texts.join('\n'))?.[0] ?? '' }
}

const linesOf = ({ block }: AnsweredTurn): string[] =>
  block.split('\n').filter((line) => line.startsWith('- '))

const mattering = (turn: AnsweredTurn): string[] =>
  linesOf(turn).filter((line) => turn.needs?.test(line))

/** The figures of a group of turns. */
const figuresOf = (turns: AnsweredTurn[]) => {
  const needing = turns.filter(({ needs }) => needs)
  const lines = turns.flatMap(linesOf)
  return {
    prompts: turns.length,
    stored: 2 * turns.length,
    needing: needing.length,
    found: needing.filter((turn) => mattering(turn).length > 0).length,
    blocks: turns.filter(({ block }) => block).length,
    unneeded: turns.filter(({ needs, block }) => !needs && block).length,
    given: lines.length,
    mattered: turns.flatMap(mattering).length,
    tokens: turns.reduce((sum, { block }) => sum + estimateTokens(block), 0),
  }
}

const print = (turns: AnsweredTurn[]): void => {
  const groups = Map.groupBy(turns, ({ project, client }) => `${project}, ${client}`)
  const rows = [...groups, ['all', turns] as const].map(([name, group]) => {
    const { prompts, stored, needing, found, blocks, unneeded, given, mattered, tokens } =
      figuresOf(group)
    return [
      name,
      prompts,
      stored,
      `${found} of ${needing}`,
      blocks,
      unneeded,
      given,
      mattered,
      tokens,
    ]
  })
  const headings = [
    ...['project, assistant', 'prompts', 'stored', 'needs met', 'blocks', 'without a need'],
    ...['memories given', 'that mattered', 'tokens'],
  ]
  printTable(headings, rows)
}

const expectStored = (memories: Memory[]): void => {
  const expected = WEEK.flatMap(({ client, project, prompt, answer }) =>
    [prompt, answer].map((text) => [text, `hook:${client}`, project].join(' | ')),
  )
  const found = captured(memories).map(({ content_text, source, project }) =>
    [content_text, source?.ref, project].join(' | '),
  )
  expect(found.toSorted()).toEqual(expected.toSorted())
}

describe.skipIf(CLIENTS.some(({ program }) => !program))('a week of two projects', () => {
  test('with Codex and OpenCode is stored once, and gives what a prompt needs and nothing of others', async () => {
    await using week = await startWeek()
    const { ada, ben } = week
    const storedCount = async () => captured(await memoriesOf(ada)).length
    const turns: AnsweredTurn[] = []
    for (const turn of WEEK) {
      for (let day = turns.at(-1)?.day ?? 1; day < turn.day; day += 1) await week.nextDay()
      turns.push(await runTurn(week, turn, storedCount))
    }
    if (process.env.TEST_FIGURES) print(turns)

    const memories = await memoriesOf(ada)
    expectStored(memories)
    for (const text of [
      ...turns.map(({ block }) => block),
      ...memories.map((each) => each.content_text),
    ]) {
      expect(text).not.toMatch(PLANTED_WORDS)
      expect(text.match(/svc-memory/g)?.length ?? 0).toBeLessThanOrEqual(2)
    }
    expect(memories.filter(({ content_text }) => content_text.includes('svc-memory'))).toEqual([])
    const { needing, found, unneeded } = figuresOf(turns)
    expect([found, unneeded]).toEqual([needing, 0])

    // The same person in the organization: neither side learns from the other.
    await stdoutOf(ada, 'config', 'set', 'organization', 'Acme')
    const inOrganization = async () =>
      JSON.parse(await stdoutOf(ben, 'list', '--limit', '100', '--org', 'Acme', '--json'))
    const question = { day: 7, project: 'shop', prompt: SECRET_QUESTION } as const
    for (const client of ['codex', 'opencode'] as const) {
      const turn = { ...question, client, answer: `I cannot know that, ${client} says.` }
      const count = async () => (await inOrganization()).memories.length
      // Answers are not stored in an organization.
      const { block } = await runTurn(week, turn, count, 1)
      expect(block).not.toMatch(SECRET_WORDS)
    }
    const shared = JSON.stringify(await inOrganization())
    expect(shared).toContain(SECRET_QUESTION)
    expect(shared).not.toMatch(SECRET_WORDS)
    expect(shared).not.toContain('I cannot know that')
    for (const { prompt } of WEEK) expect(shared).not.toContain(JSON.stringify(prompt))
    expect(captured(await memoriesOf(ada))).toHaveLength(2 * WEEK.length)
  })
})
