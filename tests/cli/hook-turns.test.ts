import { expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { AssistantName } from '../../cli/assistants/clients.ts'
import {
  context,
  listMemories,
  memoryHistory,
  recall,
  remember,
  updateMemory,
} from '../../shared/contract/index.ts'
import { type TestUser, useSharedServer } from '../harness/server.ts'
import { signedInMachine } from './svc.ts'

const server = useSharedServer()

type Input = Record<string, unknown>

/** A signed-in machine whose hooks run in a folder without a transcript. */
const startMachine = async () => {
  const { machine, user } = await signedInMachine(server.current)
  const cwd = join(machine.env.HOME ?? '', 'shop')
  mkdirSync(cwd)
  const hook = (client: AssistantName, event: Input, env: Record<string, string> = {}) =>
    machine.svc(['hook', client], {
      env,
      stdin: JSON.stringify({ session_id: 's1', cwd, ...event }),
    })
  return { machine, user, hook, cwd }
}

const prompt = (text: string, more: Input = {}) => ({
  hook_event_name: 'UserPromptSubmit',
  prompt: text,
  ...more,
})
const stop = (text: unknown, more: Input = {}) => ({
  hook_event_name: 'Stop',
  stop_hook_active: false,
  last_assistant_message: text,
  ...more,
})
/** The end of a turn that a hook let go on. */
const stopAgain = (text: unknown, more: Input = {}) =>
  stop(text, { stop_hook_active: true, ...more })

const stored = async ({ client }: TestUser) => {
  const { memories } = await client.call(listMemories, { query: { limit: 100 } })
  return memories.toReversed()
}
const textsOf = async (user: TestUser) => (await stored(user)).map((each) => each.content_text)

const LONG = 'A paragraph of a long answer about the deployment.\n\n'.repeat(1_500)

const CONTINUED: [name: string, events: Input[], texts: string[]][] = [
  ['two ends', [prompt('Fix it.'), stop('I look.'), stopAgain('Fixed.')], ['Fix it.', 'Fixed.']],
  [
    'four ends',
    [prompt('Fix it.'), stop('One.'), stopAgain('Two.'), stopAgain('Three.'), stopAgain('Four.')],
    ['Fix it.', 'Four.'],
  ],
  [
    'the same text twice',
    [prompt('Fix it.'), stop('Fixed.'), stopAgain('Fixed.')],
    ['Fix it.', 'Fixed.'],
  ],
  ['an empty last text', [prompt('Fix it.'), stop('Fixed.'), stopAgain('')], ['Fix it.', 'Fixed.']],
  [
    'a blank last text',
    [prompt('Fix it.'), stop('Fixed.'), stopAgain(' \n')],
    ['Fix it.', 'Fixed.'],
  ],
  ['no last text', [prompt('Fix it.'), stop('Fixed.'), stopAgain(null)], ['Fix it.', 'Fixed.']],
  [
    'an empty first text',
    [prompt('Fix it.'), stop(''), stopAgain('Fixed.')],
    ['Fix it.', 'Fixed.'],
  ],
  [
    'the end of a subagent between',
    [
      prompt('Fix it.'),
      stop('I look.'),
      { hook_event_name: 'SubagentStop', last_assistant_message: 'Of a subagent.' },
      stop('Of another.', { agent_id: 'a1' }),
      stopAgain('Fixed.'),
    ],
    ['Fix it.', 'Fixed.'],
  ],
  [
    'two interleaved sessions',
    [
      prompt('Fix a.', { session_id: 'a' }),
      prompt('Fix b.', { session_id: 'b' }),
      stop('A goes on.', { session_id: 'a' }),
      stop('B goes on.', { session_id: 'b' }),
      stopAgain('A is fixed.', { session_id: 'a' }),
      stopAgain('B is fixed.', { session_id: 'b' }),
    ],
    ['Fix a.', 'Fix b.', 'A is fixed.', 'B is fixed.'],
  ],
  [
    'two turns',
    [
      prompt('Fix it.'),
      stop('I look.'),
      stopAgain('Fixed.'),
      prompt('Test it.'),
      stop('I run.'),
      stopAgain('Tested.'),
    ],
    ['Fix it.', 'Fixed.', 'Test it.', 'Tested.'],
  ],
  [
    'ids of turns',
    [
      prompt('Fix it.', { turn_id: 't1' }),
      stop('I look.', { turn_id: 't1' }),
      stopAgain('Fixed.', { turn_id: 't1' }),
    ],
    ['Fix it.', 'Fixed.'],
  ],
  ['no prompt that was seen', [stop('I look.'), stopAgain('Fixed.')], ['Fixed.']],
  ['a turn without memory', [prompt('#nomem Fix it.'), stop('I look.'), stopAgain('Fixed.')], []],
  [
    'a long text and a short one',
    [prompt('Fix it.'), stop(LONG), stopAgain('Fixed.')],
    ['Fix it.', 'Fixed.'],
  ],
]

test.each(CONTINUED)(
  'of a turn that goes on, with %s, the last text is stored',
  async (_, events, texts) => {
    const { user, hook } = await startMachine()
    for (const event of events)
      expect(await hook('claude-code', event)).toEqual({ code: 0, stdout: '', stderr: '' })
    expect((await textsOf(user)).toSorted()).toEqual(texts.toSorted())
  },
)

test('a turn whose ends waited for the server has the last text, and its history the earlier one', async () => {
  const { user, hook, machine } = await startMachine()
  const env = { SVC_API_KEY: 'svc_invalid' }
  for (const event of [
    prompt('Where do we deploy?'),
    stop('To Hetzner.'),
    stopAgain('To Falkenstein.'),
  ])
    await hook('claude-code', event, env)
  expect(await textsOf(user)).toEqual([])
  await machine.svc(['spool'])
  const answer = (await stored(user)).at(-1)
  expect(answer).toMatchObject({
    content_text: 'To Falkenstein.',
    author: 'assistant',
    position: 2,
    source: { kind: 'answer', trust: 'assistant' },
  })
  const { memories } = await user.client.call(recall, { body: { query: 'Hetzner' } })
  expect(memories.map(({ content_text }) => content_text)).not.toContain('To Hetzner.')
  const params = { memory_id: answer?.memory_id ?? '' }
  expect(JSON.stringify(await user.client.call(memoryHistory, { params }))).toContain('To Hetzner.')
})

test('an answer that the user edited stays when the turn goes on', async () => {
  const { user, hook } = await startMachine()
  await hook('claude-code', prompt('Fix it.'))
  await hook('claude-code', stop('I look.'))
  const [, answer] = await stored(user)
  const params = { memory_id: answer?.memory_id ?? '' }
  await user.client.call(updateMemory, { params, body: { content: 'It was the cache.' } })
  await hook('claude-code', stopAgain('Fixed.'))
  expect(await textsOf(user)).toEqual(['Fix it.', 'It was the cache.'])
})

const FACT = 'We deploy to Hetzner in Helsinki.'
const QUESTION = 'Where do we deploy to?'

interface Spoken {
  client: AssistantName
  /** An event that gets context. */
  asking: Input
  /** The input of a compaction, by the documentation of the assistant. */
  compaction: Input
}

const asked = prompt(QUESTION)
const gemini = { hook_event_name: 'BeforeAgent', prompt: QUESTION }
const openCode = { hook_event_name: 'chat.message', prompt: QUESTION, session_id: 'ses_1' }
const cursor = { conversation_id: 'c1', generation_id: 'g1', cursor_version: '3.0.0' }
const cursorStart = { ...cursor, hook_event_name: 'sessionStart', composer_mode: 'agent' }

const COMPACTIONS: [name: string, spoken: Spoken][] = [
  ...(['auto', 'manual'] as const).map((trigger): [string, Spoken] => [
    `Codex before a compaction (${trigger})`,
    {
      client: 'codex',
      asking: asked,
      compaction: { hook_event_name: 'PreCompact', trigger, model: 'm', turn_id: 't' },
    },
  ]),
  [
    'Codex after a compaction',
    {
      client: 'codex',
      asking: asked,
      compaction: { hook_event_name: 'PostCompact', trigger: 'auto', model: 'm', turn_id: 't' },
    },
  ],
  ...(['compact', 'clear'] as const).flatMap((source) =>
    (['codex', 'claude-code'] as const).map((client): [string, Spoken] => [
      `${client} at a start after ${source}`,
      { client, asking: asked, compaction: { hook_event_name: 'SessionStart', source } },
    ]),
  ),
  [
    'Claude Code before a compaction',
    {
      client: 'claude-code',
      asking: asked,
      compaction: { hook_event_name: 'PreCompact', trigger: 'manual', custom_instructions: '' },
    },
  ],
  [
    'Gemini CLI before a compression',
    {
      client: 'gemini-cli',
      asking: gemini,
      compaction: { hook_event_name: 'PreCompress', trigger: 'auto' },
    },
  ],
  [
    'Gemini CLI at a start after clear',
    {
      client: 'gemini-cli',
      asking: gemini,
      compaction: { hook_event_name: 'SessionStart', source: 'clear' },
    },
  ],
  [
    'OpenCode after a compaction',
    {
      client: 'opencode',
      asking: openCode,
      compaction: { hook_event_name: 'session.compacted', session_id: 'ses_1' },
    },
  ],
  [
    'Cursor before a compaction',
    {
      client: 'cursor',
      asking: cursorStart,
      compaction: { ...cursor, hook_event_name: 'preCompact', trigger: 'auto' },
    },
  ],
  [
    'VS Code before a compaction',
    {
      client: 'vscode',
      asking: { hookEventName: 'SessionStart', sessionId: 's1', source: 'new' },
      compaction: { hookEventName: 'PreCompact', sessionId: 's1', trigger: 'auto' },
    },
  ],
]

test.each(COMPACTIONS)('%s: what was given before is given again, once', async (_, spoken) => {
  const { client, asking, compaction } = spoken
  const { user, hook } = await startMachine()
  await user.client.call(remember, { body: { content: `The project shop: ${FACT}` } })
  const isGiven = async (event: Input) => (await hook(client, event)).stdout.includes('Helsinki')
  expect(await isGiven(asking)).toBe(true)
  expect(await isGiven(asking)).toBe(false)
  expect(await hook(client, compaction)).toEqual({ code: 0, stdout: '', stderr: '' })
  expect(await isGiven(asking)).toBe(true)
  expect(await isGiven(asking)).toBe(false)
})

test.each(['startup', 'resume', 'new', 'fork'])(
  'a session that starts by %s is given nothing again',
  async (source) => {
    const { user, hook } = await startMachine()
    await user.client.call(remember, { body: { content: FACT } })
    expect((await hook('claude-code', asked)).stdout).toContain('Helsinki')
    await hook('claude-code', { hook_event_name: 'SessionStart', source })
    expect((await hook('claude-code', asked)).stdout).toBe('')
  },
)

test('a compaction concerns its own session alone', async () => {
  const { user, hook } = await startMachine()
  await user.client.call(remember, { body: { content: FACT } })
  for (const session_id of ['a', 'b']) await hook('claude-code', prompt(QUESTION, { session_id }))
  await hook('claude-code', { hook_event_name: 'SessionStart', source: 'compact', session_id: 'a' })
  const isGiven = async (session_id: string) =>
    (await hook('claude-code', prompt(QUESTION, { session_id }))).stdout.includes('Helsinki')
  expect([await isGiven('a'), await isGiven('b')]).toEqual([true, false])
})

test('after a compaction without a server, or before #nomem, memory is given at the next prompt', async () => {
  const { user, hook } = await startMachine()
  await user.client.call(remember, { body: { content: FACT } })
  await hook('claude-code', asked)
  const env = { SVC_URL: 'http://127.0.0.1:9', SVC_API_KEY: user.key }
  await hook('claude-code', { hook_event_name: 'SessionStart', source: 'compact' }, env)
  expect((await hook('claude-code', asked, env)).stdout).toBe('')
  expect((await hook('claude-code', prompt(`#nomem ${QUESTION}`))).stdout).toBe('')
  expect((await hook('claude-code', asked)).stdout).toContain('Helsinki')
})

test('the numbers of prompts go on after a compaction', async () => {
  const { user, hook } = await startMachine()
  await hook('claude-code', prompt('First.'))
  await hook('claude-code', { hook_event_name: 'SessionStart', source: 'compact' })
  await hook('claude-code', prompt('Second.'))
  await hook('claude-code', stop('Done.'))
  const places = (await stored(user)).map(({ content_text, position }) => [content_text, position])
  expect(places).toEqual([
    ['First.', 1],
    ['Second.', 3],
    ['Done.', 4],
  ])
})

test('a request of a context after a compaction leaves nothing out', async () => {
  const { user } = await startMachine()
  await user.client.call(remember, { body: { content: FACT } })
  const give = async (compacted?: boolean) => {
    const body = { query: QUESTION, session: 's', ...(compacted !== undefined && { compacted }) }
    return (await user.client.call(context, { body })).memories.length
  }
  const counts = [await give(), await give(), await give(false), await give(true), await give()]
  expect(counts).toEqual([1, 0, 0, 1, 0])
})
