import { expect, test } from 'bun:test'
import { Glob } from 'bun'
import { rateLimits } from '../../server/features.ts'

const sources = await Promise.all(
  [...new Glob('server/**/*.ts').scanSync()].map(async (file) => ({
    file,
    text: await Bun.file(file).text(),
  })),
)

test('every declared rate limit is in the list that the limiter starts with', () => {
  const declared = sources.flatMap(({ text }) =>
    [...text.matchAll(/= defineLimit\(\{[^}]*name: '(\w+)'/g)].map(([, name]) => name),
  )
  expect(declared.toSorted()).toEqual(rateLimits.map(({ name }) => name).toSorted())
})

test('no two rate limits share a name', () => {
  const names = rateLimits.map(({ name }) => name)
  expect(names).toEqual([...new Set(names)])
})

test('rate limits are created from declared rows only', () => {
  const makers = sources.filter(({ text }) => /new RateLimiter\w*\(/.test(text))
  expect(makers.map(({ file }) => file)).toEqual(['server/platform/http/limits.ts'])
})
