import { describe, expect, test } from 'bun:test'
import {
  circlesOf,
  DOMAIN_ORDER,
  domainOf,
  type Edge,
  FOLDERS,
  featureCircles,
  featureImports,
  featureOf,
  importsOf,
  ROOT,
  readSources,
  upwardImports,
} from '../../scripts/structure/sources.ts'

const imports = importsOf(readSources(ROOT)).filter(({ from }) => from.startsWith('server/'))

/** The directories of a domain: one imports only those after it. */
const ORDERS = [
  [
    'memory',
    [
      ...['introspect', 'check', 'transfer', 'capture', 'identity', 'facts', 'graph', 'engines'],
      ...['recall', 'projects', 'feedback', 'memories', 'text'],
    ],
  ],
  ['account', ['activity', 'pages', 'sign-in', 'access', 'organizations', 'users']],
] as const

test('every directory of the server is a domain with a place in the order', () => {
  const domains = new Set(imports.flatMap(({ from }) => domainOf(from) ?? []))
  expect([...domains].sort()).toEqual(DOMAIN_ORDER.flat().sort())
})

test('a domain imports only domains below it', () => {
  expect(upwardImports(imports)).toEqual([])
})

test('an upward import is found in a list that has one', () => {
  const upward = { from: 'server/account/users/store.ts', to: 'server/usage/tiers.ts' }
  const downward = { from: 'server/usage/tiers.ts', to: 'server/account/users/store.ts' }
  expect(upwardImports([upward, downward])).toEqual([upward])
})

test('a domain imports only how a feature is declared and what it can use from the files that assemble the server', () => {
  const assembly = imports.filter(
    ({ from, to }) => domainOf(from) && /^server\/[\w-]+\.ts$/.test(to),
  )
  const isAllowed = ({ from, to }: Edge) =>
    (/^server\/(deps|feature)\.ts$/.test(to) &&
      /^server\/(features\/)?[\w-]+\/[\w-]+\.ts$/.test(from)) ||
    (to === 'server/feature.ts' && from.endsWith('/feature.ts'))
  expect(assembly.filter((each) => !isAllowed(each))).toEqual([])
})

test('no features of a domain import each other in a circle', () => {
  expect(featureCircles(imports)).toEqual([])
})

test('a circle of features is found over several imports', () => {
  const edges = ['a/x', 'b/y', 'c/z', 'a/x'].map((path) => `server/usage/${path}.ts`)
  const circle = edges.slice(1).map((to, index) => ({ from: edges[index] ?? '', to }))
  expect(featureCircles(circle)).toEqual([['server/usage/a', 'server/usage/b', 'server/usage/c']])
  expect(featureCircles(circle.slice(1))).toEqual([])
})

test('no files import each other in a circle, types and lazy imports included', () => {
  expect(circlesOf(importsOf(readSources(ROOT, FOLDERS)))).toEqual([])
})

test('each circle of files is found, with the files of circles that share one', () => {
  const edges = ['ab', 'bc', 'ca', 'cd', 'de', 'ed', 'eb', 'fa', 'gg', 'fh'].map((pair) => ({
    from: pair.charAt(0),
    to: pair.charAt(1),
  }))
  expect(circlesOf(edges)).toEqual([['a', 'b', 'c', 'd', 'e'], ['g']])
  expect(circlesOf(edges.filter(({ from, to }) => from + to !== 'eb'))).toEqual([
    ['d', 'e'],
    ['a', 'b', 'c'],
    ['g'],
  ])
})

describe.each(ORDERS)('%s', (domain, order) => {
  test('every directory has a place in the order', () => {
    const directories = imports.flatMap(({ from }) => {
      const [, own, directory] = /^server\/([^/]+)\/([^/]+)\//.exec(from) ?? []
      return own === domain && directory ? [directory] : []
    })
    expect([...new Set(directories)].sort()).toEqual([...order].sort())
  })

  test('a directory imports only those below it', () => {
    const place = (path: string) =>
      order.findIndex((name) => featureOf(path) === `server/${domain}/${name}`)
    const upward = featureImports(imports).filter(
      ({ from, to }) => place(from) !== -1 && place(to) !== -1 && place(to) < place(from),
    )
    expect(upward).toEqual([])
  })
})
