import { describe, expect, test } from 'bun:test'
import { clientDisconnected } from '../../server/platform/http/disconnect.ts'
import { ModelFailure } from '../../server/platform/models/failure.ts'
import type { ModelEvent } from '../../server/platform/models/types.ts'
import { createRunCountedTurn } from '../../server/prompt/counted-turn.ts'
import type { PromptRequest } from '../../server/prompt/prompt.ts'
import { createRunTurn, type Turn } from '../../server/prompt/turn.ts'

type Caller = Parameters<ReturnType<typeof createRunTurn>>[0]

const caller = { userId: 'ada', ownerId: 'ada' } as Caller
const usage = { input_tokens: 1, output_tokens: 2, estimated: false }
const start: ModelEvent = { type: 'start', provider: 'openai', model: 'a-model' }
const text = (piece: string): ModelEvent => ({ type: 'text', text: piece })
const finish: ModelEvent = { type: 'finish', usage, reason: 'stop' }

const placement = { thread: 't', memoryType: 'episodic', agentSlug: null } as const
const message = (ref: string) => ({ ...placement, author: 'ada', ref })

/** Runs turns whose model sends `events` and then fails with `failure`; `steps` records what happens. */
const setup = (events: ModelEvent[], failure?: Error) => {
  const steps: string[] = []
  const abort = new AbortController()
  const prompt = {
    message: 'Hi',
    provider: undefined,
    recall: {
      query: 'Hi',
      limit: 1,
      scope: 'all' as const,
      agentSlug: null,
      except: new Set<string>(),
    },
    attachments: { texts: [], images: [] },
    history: [],
    tools: [],
    maxSteps: 0,
    note: message('q'),
  } satisfies PromptRequest
  const runTurn = createRunTurn({
    prompts: {
      async recall() {
        steps.push('recall')
        return { memories: [], instructions: '' }
      },
      assemble() {
        steps.push('assemble')
        return { request: { system: '', messages: [] }, memories: [], sources: [] }
      },
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
      async learnQuestion() {
        steps.push('learn question')
      },
      async learnAnswer(_, { content }) {
        steps.push(`learn answer ${content}`)
      },
    },
  })
  const runCountedTurn = createRunCountedTurn(runTurn, {
    async consume() {
      steps.push('consume')
      return { userId: 'ada', metric: 'messages', count: 1, period: '2026-01-01', paidMicros: 0 }
    },
    async refund() {
      steps.push('refund')
    },
  })
  const load = async (): Promise<Turn<{ id: string }, { stored: string }>> => {
    steps.push('load')
    return {
      reference: { id: 's' },
      messageId: 'm',
      prompt,
      toolEvents: [],
      learned: {
        question: { ...message('q'), content: 'Hi' },
        answer: message('m'),
        isReplacement: false,
      },
      async store({ content, isPartial }) {
        steps.push(`store ${isPartial ? 'partial ' : ''}${content}`)
        return { stored: content }
      },
      async discard() {
        steps.push('discard')
      },
    }
  }
  const options = { delivery: 'stream', signal: abort.signal } as const
  const run = (more: { memoriesFirst?: boolean } = {}) =>
    runCountedTurn(caller, load, { ...options, ...more })
  return { steps, abort, run }
}

const namesOf = async (events: AsyncIterable<{ event: string }>): Promise<string[]> =>
  (await Array.fromAsync(events)).map(({ event }) => event)

describe('a turn', () => {
  test('a turn runs its steps in order and reports the model’s events', async () => {
    const { steps, run } = setup([start, text('One '), text('two.'), finish])
    const events = await Array.fromAsync(run())
    expect(events).toEqual([
      { event: 'start', data: { id: 's', message_id: 'm', provider: 'openai', model: 'a-model' } },
      { event: 'memories', data: { memories: [] } },
      { event: 'delta', data: { text: 'One ' } },
      { event: 'delta', data: { text: 'two.' } },
      { event: 'done', data: { stored: 'One two.', usage } },
    ])
    expect(steps).toEqual([
      'consume',
      'load',
      'recall',
      'assemble',
      'ask',
      'learn question',
      'store One two.',
      'learn answer One two.',
    ])
  })

  test('a turn that sends the memories first sends them before the model is asked', async () => {
    const { steps, run } = setup([start, text('One.'), finish])
    const events = run({ memoriesFirst: true })
    expect((await events.next()).value).toEqual({ event: 'memories', data: { memories: [] } })
    expect(steps).not.toContain('ask')
    expect(await namesOf(events)).toEqual(['start', 'delta', 'done'])
  })

  test('a turn that sends the memories first is refunded when no model answers', async () => {
    const { steps, run } = setup([], new ModelFailure('timeout'))
    await expect(namesOf(run({ memoriesFirst: true }))).rejects.toMatchObject({ status: 504 })
    expect(steps.slice(4)).toEqual(['ask', 'discard', 'refund'])
  })

  test('a turn whose consumer disconnects stores a partial completion and keeps the usage', async () => {
    const { steps, run } = setup([start, text('One '), text('two.'), finish])
    for await (const { event } of run()) if (event === 'delta') break
    expect(steps.slice(5)).toEqual(['learn question', 'store partial One '])
  })

  test('a turn whose model breaks off stores a partial completion and answers 502', async () => {
    const { steps, run } = setup([start, text('One ')], new ModelFailure('unreachable'))
    await expect(namesOf(run())).rejects.toMatchObject({ status: 502 })
    expect(steps.slice(5)).toEqual(['learn question', 'store partial One '])
  })

  test('a turn without an answer is discarded and refunded', async () => {
    const { steps, run } = setup([], new ModelFailure('timeout'))
    await expect(namesOf(run())).rejects.toMatchObject({ status: 504 })
    expect(steps.slice(4)).toEqual(['ask', 'discard', 'refund'])
  })

  test('a turn is not refunded when the client disconnects after the model call began', async () => {
    const { steps, abort, run } = setup([start], clientDisconnected())
    const events = run()
    await events.next()
    abort.abort(clientDisconnected())
    await expect(namesOf(events)).rejects.toMatchObject({ status: 499 })
    expect(steps.slice(4)).toEqual(['ask', 'learn question'])
  })

  test('a turn is refunded when the client disconnects before the model call', async () => {
    const { steps, abort, run } = setup([], clientDisconnected())
    abort.abort(clientDisconnected())
    await expect(namesOf(run())).rejects.toMatchObject({ status: 499 })
    expect(steps.at(-1)).toBe('refund')
  })
})
