import { describe, expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { fails, says } from '../../harness/model-server.ts'
import { deadUrl, noAbort, request, useModels } from './models-support.ts'

const suite = useModels()

const Facts = Type.Object({
  facts: Type.Array(Type.Object({ text: Type.String(), importance: Type.Number({ maximum: 1 }) })),
})
const fact = { text: 'Ada drinks tea.', importance: 0.5 }

describe('a structured answer', () => {
  const written: Record<string, string> = {
    'without text around it': JSON.stringify({ facts: [fact] }),
    'in a code block': `\`\`\`json\n${JSON.stringify({ facts: [fact] }, null, 2)}\n\`\`\``,
    'with text around it': `Here you are: ${JSON.stringify({ facts: [fact] })} Anything else?`,
    'with undeclared fields': JSON.stringify({ facts: [{ ...fact, why: 'said so' }], n: 1 }),
    'with numbers as strings': JSON.stringify({ facts: [{ ...fact, importance: '0.5' }] }),
  }
  for (const provider of ['openai', 'openrouter'] as const)
    for (const [how, text] of Object.entries(written))
      test(`JSON is read from ${provider} ${how}`, async () => {
        suite.server.next(says([text.slice(0, 9), text.slice(9)]))
        const models = suite.create({ providers: [provider] })
        expect(await models.object(Facts, request(), noAbort())).toEqual({
          provider,
          model: `${provider}-model`,
          value: { facts: [fact] },
          usage: { input_tokens: 11, output_tokens: 7, estimated: false },
        })
      })

  for (const provider of ['openai', 'openrouter'] as const)
    test(`a request to ${provider} includes the schema in the prompt and in response_format`, async () => {
      suite.server.next(says('{"facts":[]}'))
      const models = suite.create({ providers: [provider] })
      await models.object(Facts, request({ system: 'Find facts.' }), noAbort())
      const { body } = suite.server.calls[0] ?? {}
      expect(body.response_format).toMatchObject({
        type: 'json_schema',
        json_schema: { strict: false, schema: { required: ['facts'] } },
      })
      const [{ content }] = body.messages
      const system: string = typeof content === 'string' ? content : content[0].text
      expect(system).toStartWith('Find facts.')
      expect(system).toContain(JSON.stringify(Facts))
    })

  test('a server that refuses response_format gets the request without it', async () => {
    suite.server.always((response, call) =>
      (call.body.response_format ? fails(400) : says('{"facts":[]}'))(response, call),
    )
    const { value } = await suite.create().object(Facts, request(), noAbort())
    expect(value).toEqual({ facts: [] })
    expect(suite.server.calls).toHaveLength(2)
  })

  for (const wrong of ['No facts here.', '{"facts":[', '{"facts":[{"text":1,"importance":2}]}'])
    test(`an answer that does not match the schema is requested again: ${wrong}`, async () => {
      suite.server.next(says(wrong), says(JSON.stringify({ facts: [fact] })))
      const { value, usage } = await suite.create().object(Facts, request(), noAbort())
      expect(value).toEqual({ facts: [fact] })
      expect(usage).toEqual({ input_tokens: 22, output_tokens: 14, estimated: false })
      const [completion, complaint] = suite.server.calls[1]?.body.messages.slice(-2) ?? []
      expect(completion).toEqual({ role: 'assistant', content: wrong })
      expect(complaint.content).toMatch(/not JSON|\/facts\/0\/importance: Expected number/)
    })

  test('an answer that never matches the schema is a failure', async () => {
    suite.server.always(says('No facts here.'))
    const answer = suite.create().object(Facts, request(), noAbort())
    await expect(answer).rejects.toMatchObject({ kind: 'malformed' })
    expect(suite.server.calls).toHaveLength(2)
  })

  test('a failing provider is followed by the next one, and never by local', async () => {
    suite.server.next(says('{"facts":[]}'))
    const urls = { openai: await deadUrl() }
    const models = suite.create({ providers: ['openai', 'ollama'], urls })
    expect(await models.object(Facts, request(), noAbort())).toMatchObject({ provider: 'ollama' })
    const alone = suite.create({ providers: [] })
    expect(alone.isConfigured).toBe(false)
    await expect(alone.object(Facts, request(), noAbort())).rejects.toMatchObject({
      kind: 'unavailable',
    })
  })
})
