import { expect, test } from 'bun:test'
import { readConfig } from '../../server/config/config.ts'

const chat = (env: Record<string, string>) => readConfig(env).chat
const mistakes = (env: Record<string, string>): string[] => {
  try {
    readConfig(env)
    return []
  } catch (error) {
    return (error as Error).message.split('\n')
  }
}

test('without a configured provider only local answers', () => {
  expect(chat({})).toEqual({ providers: [], contextTokens: 32_768, fallsBackToLocal: true })
})

test('a key alone is enough for OpenRouter, and a key and a model for OpenAI', () => {
  expect(chat({ SVC_OPENROUTER_API_KEY: 'k' }).providers).toEqual([
    {
      name: 'openrouter',
      baseUrl: 'https://openrouter.ai/api/v1',
      apiKey: 'k',
      model: 'openrouter/auto',
    },
  ])
  expect(chat({ SVC_OPENAI_API_KEY: 'k', SVC_CHAT_MODEL: 'm' }).providers).toEqual([
    { name: 'openai', baseUrl: 'https://api.openai.com/v1', apiKey: 'k', model: 'm' },
  ])
})

test('each provider can have its own model', () => {
  const { providers } = chat({
    SVC_OPENROUTER_API_KEY: 'k',
    SVC_OPENROUTER_MODEL: 'a/b',
    SVC_OPENAI_BASE_URL: 'http://127.0.0.1:1234/v1',
    SVC_OPENAI_MODEL: 'c',
    SVC_OLLAMA_URL: 'http://127.0.0.1:11434',
    SVC_CHAT_MODEL: 'd',
  })
  expect(providers.map(({ name, model }) => [name, model])).toEqual([
    ['openrouter', 'a/b'],
    ['openai', 'c'],
    ['ollama', 'd'],
  ])
})

test('an Ollama URL is accepted with and without its path', () => {
  for (const SVC_OLLAMA_URL of ['http://box:11434', 'http://box:11434/', 'http://box:11434/v1/'])
    expect(chat({ SVC_OLLAMA_URL, SVC_CHAT_MODEL: 'm' }).providers).toEqual([
      { name: 'ollama', baseUrl: 'http://box:11434/v1', apiKey: undefined, model: 'm' },
    ])
})

test('an incomplete provider configuration is reported', () => {
  expect(mistakes({ SVC_OPENAI_API_KEY: 'k', SVC_OLLAMA_URL: 'http://box:11434' })).toEqual([
    'SVC_OPENAI_* requires SVC_OPENAI_MODEL or SVC_CHAT_MODEL',
    'SVC_OLLAMA_URL requires SVC_OLLAMA_MODEL or SVC_CHAT_MODEL',
  ])
  expect(mistakes({ SVC_OPENROUTER_BASE_URL: 'https://proxy.example.com' })).toEqual([
    'SVC_OPENROUTER_BASE_URL requires SVC_OPENROUTER_API_KEY',
  ])
  expect(mistakes({ SVC_CHAT_FALLBACK: 'none' })).toEqual([
    'SVC_CHAT_FALLBACK=none requires a provider: SVC_OPENROUTER_API_KEY, SVC_OPENAI_BASE_URL or SVC_OLLAMA_URL',
  ])
})

test('an OpenRouter key is sent over https or to this machine only', () => {
  const withUrl = (url: string) =>
    mistakes({ SVC_OPENROUTER_API_KEY: 'k', SVC_OPENROUTER_BASE_URL: url })
  expect(withUrl('http://proxy.example.com')).toHaveLength(1)
  expect(withUrl('http://127.0.0.1:4000/v1')).toEqual([])
})
