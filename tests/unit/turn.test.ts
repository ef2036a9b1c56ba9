import { describe, expect, test } from 'bun:test'
import { createChatService } from '../../server/conversation/chat/service.ts'
import { createTalkService } from '../../server/conversation/talk/service.ts'
import type { Caller } from '../../server/platform/http/caller.ts'
import { clientDisconnected } from '../../server/platform/http/disconnect.ts'
import { ModelFailure } from '../../server/platform/models/failure.ts'
import type { ModelEvent } from '../../server/platform/models/types.ts'
import { createTurnService } from '../../server/prompt/turn.ts'
import type { Agent } from '../../shared/contract/agents.ts'
import type { ChatRequest } from '../../shared/contract/chat.ts'
import type { ChatMessage } from '../../shared/contract/chat-messages.ts'
import type { TalkRequest } from '../../shared/contract/talk.ts'

const NO_CONTEXT = {
  window: 0,
  tokens: {
    instructions: 0,
    tools: 0,
    message: 0,
    images: 0,
    memories: 0,
    attachments: 0,
    history: 0,
  },
  memories_found: 0,
  memories_given: 0,
  messages_given: 0,
  messages_left_out: 0,
  instructions: '',
  tools: [],
}

const caller = { userId: 'ada', ownerId: 'ada', me: { display_name: 'Ada' } } as Caller
const agent = { slug: 'default', boundaries: [] as string[] } as Agent
const usage = { input_tokens: 1, output_tokens: 2, estimated: false }
const start: ModelEvent = { type: 'start', provider: 'openai', model: 'a-model' }
const text = (piece: string): ModelEvent => ({ type: 'text', text: piece })
const finish: ModelEvent = { type: 'finish', usage, reason: 'stop' }

/** A new session's first message. */
const body: ChatRequest = {
  message: 'Hi',
  provider: 'openai',
  file_ids: [],
  content_blocks: [],
  tools: [],
  deep: false,
}
const question = {
  sessionId: null,
  input: body,
  content: { message: 'Hi', blocks: [], fileIds: [], snapshotHash: null },
  history: [],
  stored: undefined,
  replaced: undefined,
}

/** Runs turns whose model sends `events` and then fails with `failure`; `steps` records what happens. */
const setup = (events: ModelEvent[], failure?: Error) => {
  const steps: string[] = []
  const abort = new AbortController()
  /** A function that records a step and returns a value. */
  const does =
    <T>(step: string, value: T) =>
    async () => {
      steps.push(step)
      return value
    }
  const turns = createTurnService({
    prompts: {
      prepare: does('prepare prompt', {
        request: { system: '', messages: [] },
        context: NO_CONTEXT,
        memories: [],
        sources: [],
        trust: () => 'user' as const,
      }),
    },
    models: {
      async *stream() {
        steps.push('ask')
        yield* events
        if (failure) throw failure
      },
      generate: () => Promise.reject(new Error('not used')),
    },
    learning: {
      startTurn: () => ({
        learnMessage: does('learn message', undefined),
        async learnCompletion({ content }: { content: string }) {
          steps.push(`learn completion ${content}`)
        },
      }),
    },
    usage: {
      consume: does('consume', {
        userId: 'ada',
        metric: 'messages' as const,
        count: 1,
        period: '2026-01-01',
        paidMicros: 0,
      }),
      refund: does('refund', undefined),
    },
  })
  const stored = ({ content, isPartial }: { content: string; isPartial: boolean }) =>
    steps.push(`store ${isPartial ? 'partial ' : ''}${content}`)
  const chats = createChatService({
    turns,
    questions: { next: async () => question, last: async () => question },
    chatSessions: {
      createForMessage: does('create session', 's'),
      delete: does('discard', undefined),
    },
    messageWriter: {
      addQuestion: does('store question', 'q'),
      async addAnswer(_, sessionId, { messageId }, answer) {
        stored(answer)
        return { id: messageId, session_id: sessionId, content: answer.content } as ChatMessage
      },
      replaceAnswer: () => Promise.reject(new Error('not used')),
    },
    attachments: {
      load: does('load', { texts: [], images: [], toolEvents: [], snapshotHash: null }),
    },
    describeReflex: async () => undefined,
  })
  const talks = createTalkService({
    turns,
    agents: { introduce: does('introduce', agent) },
    exchanges: {
      history: does('load', []),
      async add(_, __, { icogResponse, isPartial, agentMessage }) {
        stored({ content: icogResponse, isPartial })
        return {
          type: 'exchange',
          agent_message: agentMessage,
          icog_response: icogResponse,
          memory_type: 'semantic',
          created_at: '2026-01-01T00:00:00.000Z',
        }
      },
    },
  })
  return {
    steps,
    abort,
    chat: () => chats.stream(caller, body, abort.signal),
    /** With the memories first. */
    talk: () =>
      talks.stream(caller, { message: 'Hi', scope_mode: 'all' } satisfies TalkRequest, {
        signal: abort.signal,
        memoriesFirst: true,
      }),
  }
}

const namesOf = async (events: AsyncIterable<{ event: string }>): Promise<string[]> =>
  (await Array.fromAsync(events)).map(({ event }) => event)

/** The steps after the model was asked. */
const afterAsk = (steps: string[]) => steps.slice(steps.indexOf('ask') + 1)

describe('a turn', () => {
  test('a turn runs its steps in order and reports the model’s events', async () => {
    const { steps, chat } = setup([start, text('One '), text('two.'), finish])
    const events = await Array.fromAsync(chat())
    expect(events).toEqual([
      {
        event: 'start',
        data: {
          session_id: 's',
          message_id: expect.any(String),
          provider: 'openai',
          model: 'a-model',
        },
      },
      { event: 'memories', data: { memories: [] } },
      { event: 'delta', data: { text: 'One ' } },
      { event: 'delta', data: { text: 'two.' } },
      {
        event: 'done',
        data: { message: expect.objectContaining({ content: 'One two.' }), usage },
      },
    ])
    expect([...new Set(steps)]).toEqual([
      'consume',
      'load',
      'create session',
      'store question',
      'prepare prompt',
      'ask',
      'learn message',
      'store One two.',
      'learn completion One two.',
    ])
  })

  test('a turn that sends the memories first sends them before the model is asked', async () => {
    const { steps, talk } = setup([start, text('One.'), finish])
    const events = talk()
    expect((await events.next()).value).toEqual({ event: 'memories', data: { memories: [] } })
    expect(steps).not.toContain('ask')
    expect(await namesOf(events)).toEqual(['start', 'delta', 'done'])
  })

  test('a turn that sends the memories first is refunded when no model answers', async () => {
    const { steps, talk } = setup([], new ModelFailure('timeout'))
    await expect(namesOf(talk())).rejects.toMatchObject({ status: 504 })
    expect(afterAsk(steps)).toEqual(['refund'])
  })

  test('a turn whose consumer disconnects stores a partial completion and keeps the usage', async () => {
    for (const kind of ['chat', 'talk'] as const) {
      const { steps, ...run } = setup([start, text('One '), text('two.'), finish])
      for await (const { event } of run[kind]()) if (event === 'delta') break
      expect(afterAsk(steps)).toEqual(['learn message', 'store partial One '])
    }
  })

  test('a turn whose model breaks off stores a partial completion and answers 502', async () => {
    for (const kind of ['chat', 'talk'] as const) {
      const { steps, ...run } = setup([start, text('One ')], new ModelFailure('unreachable'))
      await expect(namesOf(run[kind]())).rejects.toMatchObject({ status: 502 })
      expect([...new Set(afterAsk(steps))]).toEqual(['learn message', 'store partial One '])
    }
  })

  test('a turn without an answer deletes its new session and is refunded', async () => {
    const { steps, chat } = setup([], new ModelFailure('timeout'))
    await expect(namesOf(chat())).rejects.toMatchObject({ status: 504 })
    expect(afterAsk(steps)).toEqual(['discard', 'refund'])
  })

  test('a turn is not refunded when the client disconnects after the model call began', async () => {
    for (const kind of ['chat', 'talk'] as const) {
      const { steps, abort, ...run } = setup([start], clientDisconnected())
      const events = run[kind]()
      while ((await events.next()).value?.event !== 'start');
      abort.abort(clientDisconnected())
      await expect(namesOf(events)).rejects.toMatchObject({ status: 499 })
      expect(afterAsk(steps)).toEqual(['learn message'])
    }
  })

  test('a turn is refunded when the client disconnects before the model call', async () => {
    for (const kind of ['chat', 'talk'] as const) {
      const { steps, abort, ...run } = setup([], clientDisconnected())
      abort.abort(clientDisconnected())
      await expect(namesOf(run[kind]())).rejects.toMatchObject({ status: 499 })
      expect(steps.at(-1)).toBe('refund')
    }
  })
})
