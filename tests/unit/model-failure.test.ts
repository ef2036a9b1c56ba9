import { expect, test } from 'bun:test'
import { failureOf, ModelFailure } from '../../server/platform/models/failure.ts'
import { retryAfterMs } from '../../server/platform/models/retry.ts'
import { estimateMessageTokens, estimateTokens } from '../../server/platform/models/tokens.ts'

test('a mistake of the program is not taken for a failure of the model', () => {
  const mistake = new TypeError('undefined is not a function')
  expect(failureOf(mistake, 'openai')).toBe(mistake)
  expect(failureOf('thrown', 'openai')).toBe('thrown')
})

test('what comes of the network or the provider is', () => {
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

test('a pause is read in seconds, and as a date', () => {
  expect(retryAfterMs('3')).toBe(3_000)
  expect(retryAfterMs(new Date(Date.now() - 1_000).toUTCString())).toBe(0)
  expect(retryAfterMs(new Date(Date.now() + 3_600_000).toUTCString())).toBeGreaterThan(3_000_000)
  for (const none of ['soon', '', null, undefined]) expect(retryAfterMs(none)).toBeUndefined()
})

test('tokens are reckoned by bytes, and a picture counts', () => {
  expect(estimateTokens('')).toBe(0)
  expect(estimateTokens('abcdef')).toBe(2)
  expect(estimateTokens('日本')).toBe(2)
  const text = { type: 'text', text: 'abcdef' } as const
  const image = { type: 'image', data: new Uint8Array(9), mediaType: 'image/png' } as const
  const plain = estimateMessageTokens({ role: 'user', content: 'abcdef' })
  expect(estimateMessageTokens({ role: 'user', content: [text] })).toBe(plain)
  expect(estimateMessageTokens({ role: 'user', content: [text, image] })).toBeGreaterThan(1_000)
})
