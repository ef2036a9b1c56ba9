import { expect, test } from 'bun:test'
import { failureOf, ModelFailure } from '../../server/platform/models/failure.ts'
import { retryAfterMs } from '../../server/platform/models/language-model.ts'
import { estimateMessageTokens, estimateTokens } from '../../server/platform/models/prompt.ts'

test('an error that no provider caused is returned unchanged and is no ModelFailure', () => {
  const bug = new TypeError('undefined is not a function')
  expect(failureOf(bug, 'openai')).toBe(bug)
  expect(failureOf('thrown', 'openai')).toBe('thrown')
})

test('an error of the network or the provider becomes a ModelFailure without its text', () => {
  const reset = Object.assign(new Error('private'), { code: 'ECONNRESET' })
  const wrapped = Object.assign(new Error('private', { cause: reset }), { name: 'AI_APICallError' })
  const streamed = { message: 'private', code: 429 }
  const kinds = [reset, wrapped, streamed, { message: 'private' }].map((error) => {
    const failure = failureOf(error, 'openai')
    expect(failure).toBeInstanceOf(ModelFailure)
    expect(Bun.inspect(failure)).not.toContain('private')
    return (failure as ModelFailure).kind
  })
  expect(kinds).toEqual(['unreachable', 'unreachable', 'rate_limited', 'unreachable'])
})

test('Retry-After is read in seconds and as a date, and an invalid value is ignored', () => {
  expect(retryAfterMs('3')).toBe(3_000)
  expect(retryAfterMs(new Date(Date.now() - 1_000).toUTCString())).toBe(0)
  expect(retryAfterMs(new Date(Date.now() + 3_600_000).toUTCString())).toBeGreaterThan(3_000_000)
  for (const none of ['soon', '', null, undefined]) expect(retryAfterMs(none)).toBeUndefined()
})

test('tokens are estimated from bytes, and an image adds to them', () => {
  expect(estimateTokens('')).toBe(0)
  expect(estimateTokens('abcdef')).toBe(2)
  expect(estimateTokens('日本')).toBe(2)
  const text = { type: 'text', text: 'abcdef' } as const
  const image = { type: 'image', data: new Uint8Array(9), mediaType: 'image/png' } as const
  const plain = estimateMessageTokens({ role: 'user', content: 'abcdef' })
  expect(estimateMessageTokens({ role: 'user', content: [text] })).toBe(plain)
  expect(estimateMessageTokens({ role: 'user', content: [text, image] })).toBeGreaterThan(1_000)
})
