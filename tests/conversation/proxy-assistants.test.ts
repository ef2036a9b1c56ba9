import { describe, expect, test } from 'bun:test'
import { capture } from '../../shared/contract/index.ts'
import { says, type UpstreamCall } from '../harness/upstream.ts'
import { FACT, type ProxyUser, QUESTION, useProxy } from './proxy-support.ts'

const proxy = useProxy()

const SESSION = '01a209cb-f15c-7043-b3ee-2be360bf10e0'
const TURN = '01a209cb-f17a-7e40-8cf5-e77b67ac4ae2'

const lastCall = (): UpstreamCall => {
  const call = proxy.upstream.calls.at(-1)
  if (!call) throw new Error('the provider was not called')
  return call
}

const hasMemory = () => lastCall().text.includes('<svc-memory>')

interface Sent {
  path: string
  headers: Record<string, string>
  body: object
}

const send = async (user: ProxyUser, { path, headers, body }: Sent): Promise<void> => {
  const response = await user.post(path, JSON.stringify(body), headers)
  expect([response.status, await response.text()]).toEqual([200, expect.any(String)])
}

const item = (role: string, ...texts: string[]) => ({
  type: 'message',
  role,
  content: texts.map((text) => ({ type: 'input_text', text })),
})

/** A request of Codex 0.169. */
const codex = (
  input: object[],
  metadata: object = {},
  headers: Record<string, string> = {},
): Sent => ({
  path: '/openai/v1/responses',
  headers: {
    'user-agent': 'codex_exec/0.169.0 (Debian 12.0.0; x86_64) xterm (codex_exec; 0.169.0)',
    originator: 'codex_exec',
    'session-id': SESSION,
    'thread-id': SESSION,
    'x-codex-turn-metadata': JSON.stringify({
      session_id: SESSION,
      turn_id: TURN,
      request_kind: 'turn',
      thread_source: 'user',
      ...metadata,
    }),
    ...headers,
  },
  body: {
    model: 'gpt-x',
    stream: true,
    store: false,
    prompt_cache_key: SESSION,
    input: [
      item('developer', '<permissions instructions>read-only</permissions instructions>'),
      item('user', '# AGENTS.md instructions for /shop\n\n<INSTRUCTIONS>Be brief.</INSTRUCTIONS>'),
      item('user', '<environment_context>\n  <cwd>/shop</cwd>\n</environment_context>'),
      ...input,
    ],
  },
})

/** A request of OpenCode 1.18. */
const openCode = (messages: object[], headers: Record<string, string> = {}): Sent => ({
  path: '/openai/v1/chat/completions',
  headers: {
    'user-agent': 'opencode/1.18.33 ai-sdk/provider-utils/4.0.23 runtime/bun/1.3.14',
    'x-session-affinity': 'ses_1',
    'x-session-id': 'ses_1',
    ...headers,
  },
  body: { model: 'm', max_tokens: 32_000, stream: true, messages },
})

/** A request of Claude Code. */
const claude = (
  content: unknown,
  { system = 'You are Claude Code.', ...more }: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Sent => ({
  path: '/anthropic/v1/messages?beta=true',
  headers: { 'user-agent': 'claude-cli/2.1.71 (external, cli)', ...headers },
  body: {
    model: 'claude-x',
    max_tokens: 32_000,
    stream: true,
    metadata: {
      user_id: JSON.stringify({ device_id: 'd', account_uuid: '', session_id: SESSION }),
    },
    system: [{ type: 'text', text: system }],
    messages: [{ role: 'user', content }],
    ...more,
  },
})

describe('the thread and the turn are those of the hooks', () => {
  test('Codex: a turn that a hook has stored is not stored again', async () => {
    const user = await proxy.newUser()
    await user.client.call(capture, {
      body: {
        client: 'codex',
        session: SESSION,
        channel: 'hook',
        messages: [{ turn: TURN, role: 'user', content: QUESTION, ordinal: 1 }],
      },
    })
    await send(user, codex([item('user', QUESTION)]))
    expect(await user.capturedTexts(1)).toEqual(['Hello.'])
    expect((await user.captured())[0]?.thread).toBe(`codex:${SESSION}`)
  })

  test('Codex: the context of the client is no message of the person', async () => {
    const user = await proxy.newUser()
    await send(user, codex([item('user', QUESTION)]))
    expect(lastCall().body.input[3]).toEqual(item('user', QUESTION))
    expect(JSON.stringify(lastCall().body.input[4])).toContain(FACT)
    expect(await user.capturedTexts(2)).toEqual([QUESTION, 'Hello.'])
  })

  test('Codex: a second message in one turn is stored, too', async () => {
    const user = await proxy.newUser()
    await send(user, codex([item('user', QUESTION)]))
    await user.capturedTexts(2)
    await send(user, codex([item('user', QUESTION), item('user', 'And use the new key.')]))
    const texts = await user.capturedTexts(4)
    expect(texts.toSorted()).toEqual(
      [QUESTION, 'Hello.', 'And use the new key.', 'Hello.'].toSorted(),
    )
  })

  test('OpenCode: the session of the header, and the number of the prompt', async () => {
    const user = await proxy.newUser()
    const system = { role: 'system', content: 'You are opencode.' }
    await send(user, openCode([system, { role: 'user', content: QUESTION }]))
    await user.capturedTexts(2)
    const { memories } = await user.client.call(capture, {
      body: {
        client: 'opencode',
        session: 'ses_1',
        channel: 'hook',
        messages: [{ turn: '1', role: 'user', content: QUESTION, ordinal: 1 }],
      },
    })
    expect(memories).toMatchObject([{ deduplicated: true }])
    expect((await user.captured())[0]?.thread).toBe('opencode:ses_1')
  })

  for (const [name, sent] of Object.entries({
    header: claude(QUESTION, { metadata: {} }, { 'x-claude-code-session-id': SESSION }),
    metadata: claude(QUESTION),
    'earlier metadata': claude(QUESTION, {
      metadata: { user_id: `user_0a_account__session_${SESSION}` },
    }),
  }))
    test(`Claude Code: the session of the ${name}`, async () => {
      const user = await proxy.newUser()
      await send(user, sent)
      await user.capturedTexts(2)
      expect((await user.captured())[0]?.thread).toBe(`claude-code:${SESSION}`)
    })
})

test('Claude Code: reminders in the message of the person are neither stored nor asked about', async () => {
  const user = await proxy.newUser()
  const reminder = '<system-reminder>\nToday is Monday.\n</system-reminder>'
  await send(
    user,
    claude([
      { type: 'text', text: reminder },
      { type: 'text', text: QUESTION, cache_control: { type: 'ephemeral' } },
    ]),
  )
  expect(hasMemory()).toBe(true)
  expect(await user.capturedTexts(2)).toEqual([QUESTION, 'Hello.'])
})

test('Claude Code: a cache mark that moves to a later message changes no addition', async () => {
  const user = await proxy.newUser()
  const marked = (text: string) => [{ type: 'text', text, cache_control: { type: 'ephemeral' } }]
  const answer = { role: 'assistant', content: [{ type: 'text', text: 'Hello.' }] }
  await send(user, claude(marked(QUESTION)))
  const [first] = lastCall().body.messages
  await send(
    user,
    claude('', {
      messages: [
        { role: 'user', content: QUESTION },
        answer,
        { role: 'user', content: marked('yes') },
      ],
    }),
  )
  const [second, , third] = lastCall().body.messages
  expect(second.content[1]).toEqual(first.content[1])
  expect(third.content).toEqual(marked('yes'))
})

const COMPACTION = 'You are performing a CONTEXT CHECKPOINT COMPACTION. Create a handoff summary.'
const title = { role: 'system', content: 'You are a title generator. You output ONLY a title.' }

/** Requests that a client sends for itself. */
const ASIDES: Record<string, Sent> = {
  'a compaction of Codex': codex([item('user', QUESTION)], { request_kind: 'compaction' }),
  'a compaction of Codex by its text': codex([item('user', QUESTION), item('user', COMPACTION)]),
  'a subagent of Codex': codex([item('user', QUESTION)], { thread_source: 'subagent' }),
  'a review of Codex': codex([item('user', QUESTION)], {}, { 'x-openai-subagent': 'review' }),
  'a title of OpenCode': openCode([title, { role: 'user', content: QUESTION }]),
  'a summary of OpenCode': openCode([
    { role: 'system', content: 'You are a context summarization agent.' },
    { role: 'user', content: QUESTION },
  ]),
  'a subagent of OpenCode': openCode([{ role: 'user', content: QUESTION }], {
    'x-parent-session-id': 'ses_0',
  }),
  'a topic of Claude Code': claude(QUESTION, {
    system: 'Analyze if this message indicates a new conversation topic.',
  }),
  'a compaction of Claude Code': claude(
    'Your task is to create a detailed summary of the conversation so far, and so on.',
  ),
  'a quota check of Claude Code': claude('quota', { max_tokens: 1 }),
}

for (const [name, sent] of Object.entries(ASIDES))
  test(`${name} passes unchanged, is not stored and does not count`, async () => {
    const user = await proxy.newUser()
    await send(user, sent)
    expect(lastCall().text).toBe(JSON.stringify(sent.body))
    await send(user, codex([item('user', 'yes')]))
    expect(await user.capturedTexts(2)).toEqual(['yes', 'Hello.'])
    expect(await user.messagesUsed()).toBe(1)
  })

test('a summary that Codex puts in place of a conversation is no message of the person', async () => {
  const user = await proxy.newUser()
  await send(user, codex([item('user', QUESTION)]))
  await user.capturedTexts(2)
  const summary = 'Another language model started to solve this problem and produced a summary: x'
  const later = { turn_id: 'a-later-turn' }
  proxy.upstream.next(says('Done.'))
  await send(user, codex([item('user', summary), item('user', 'Now deploy.')], later))
  expect((await user.capturedTexts(4)).slice(2)).toEqual(['Now deploy.', 'Done.'])
})
