import { describe, expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { fails, says } from '../harness/model-server.ts'
import { deadUrl, patient, request, useModels } from './models-support.ts'

const suite = useModels()

const Facts = Type.Object({
  facts: Type.Array(Type.Object({ text: Type.String(), importance: Type.Number({ maximum: 1 }) })),
})
const fact = { text: 'Ada drinks tea.', importance: 0.5 }

describe('an answer as JSON', () => {
  const written: Record<string, string> = {
    'as it stands': JSON.stringify({ facts: [fact] }),
    'between fences': `\`\`\`json\n${JSON.stringify({ facts: [fact] }, null, 2)}\n\`\`\``,
    'with words around it': `Here you are: ${JSON.stringify({ facts: [fact] })} Anything else?`,
    'with more than was asked for': JSON.stringify({ facts: [{ ...fact, why: 'said so' }], n: 1 }),
    'with numbers in quotes': JSON.stringify({ facts: [{ ...fact, importance: '0.5' }] }),
  }
  for (const provider of ['openai', 'openrouter'] as const)
    for (const [how, text] of Object.entries(written))
      test(`is read from ${provider} ${how}`, async () => {
        suite.server.next(says([text.slice(0, 9), text.slice(9)]))
        const models = suite.create({ providers: [provider] })
        expect(await models.object(Facts, request(), patient())).toEqual({
          provider,
          model: `${provider}-model`,
          value: { facts: [fact] },
          usage: { input_tokens: 11, output_tokens: 7, estimated: false },
        })
      })

  for (const provider of ['openai', 'openrouter'] as const)
    test(`is asked for from ${provider} by its schema, in words and in the shape`, async () => {
      suite.server.next(says('{"facts":[]}'))
      const models = suite.create({ providers: [provider] })
      await models.object(Facts, request({ system: 'Find facts.' }), patient())
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

  test('is had of servers that take no shape', async () => {
    suite.server.always((response, call) =>
      (call.body.response_format ? fails(400) : says('{"facts":[]}'))(response, call),
    )
    const { value } = await suite.create().object(Facts, request(), patient())
    expect(value).toEqual({ facts: [] })
    expect(suite.server.calls).toHaveLength(2)
  })

  for (const wrong of ['No facts here.', '{"facts":[', '{"facts":[{"text":1,"importance":2}]}'])
    test(`that does not fit is asked for again: ${wrong}`, async () => {
      suite.server.next(says(wrong), says(JSON.stringify({ facts: [fact] })))
      const { value, usage } = await suite.create().object(Facts, request(), patient())
      expect(value).toEqual({ facts: [fact] })
      expect(usage).toEqual({ input_tokens: 22, output_tokens: 14, estimated: false })
      const [said, complaint] = suite.server.calls[1]?.body.messages.slice(-2) ?? []
      expect(said).toEqual({ role: 'assistant', content: wrong })
      expect(complaint.content).toMatch(/not JSON|\/facts\/0\/importance: Expected number/)
    })

  test('that never fits is a failure', async () => {
    suite.server.always(says('No facts here.'))
    const asked = suite.create().object(Facts, request(), patient())
    await expect(asked).rejects.toMatchObject({ kind: 'malformed' })
    expect(suite.server.calls).toHaveLength(2)
  })

  test('is had of the next provider, and never of local', async () => {
    suite.server.next(says('{"facts":[]}'))
    const urls = { openai: await deadUrl() }
    const models = suite.create({ providers: ['openai', 'ollama'], urls })
    expect(await models.object(Facts, request(), patient())).toMatchObject({ provider: 'ollama' })
    const alone = suite.create({ providers: [] })
    expect(alone.isConfigured).toBe(false)
    await expect(alone.object(Facts, request(), patient())).rejects.toMatchObject({
      kind: 'unavailable',
    })
  })
})
