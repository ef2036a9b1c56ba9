import { expect, test } from 'bun:test'
import { Glob } from 'bun'
import { retentionRules } from '../../server/features.ts'

const rules = retentionRules({
  config: { activity: { days: 30, keepsQuestions: true, redacts: true } },
  authSecrets: { current: 'a secret', previous: undefined },
})

const sources = await Promise.all(
  [...new Glob('server/**/*.ts').scanSync()].map((file) => Bun.file(file).text()),
)

test('every declared retention rule is in the list that the server starts', () => {
  const declared = sources.flatMap((text) =>
    [...text.matchAll(/defineRetention\(\{\s*name: '(\w+)'/g)].map(([, name]) => name),
  )
  expect(declared.toSorted()).toEqual(rules.map(({ name }) => name).toSorted())
})

test('no two retention rules share a name', () => {
  const names = rules.map(({ name }) => name)
  expect(names).toEqual([...new Set(names)])
})
