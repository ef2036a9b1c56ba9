import { expect, test } from 'bun:test'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Glob } from 'bun'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** A domain imports itself and the domains before it, types included. The last three are on one level. */
const ORDER = [
  ['platform'],
  ['account'],
  ['billing'],
  ['memory'],
  ['prompt'],
  ['conversation'],
  ['automation'],
  ['people'],
  ['admin', 'mcp', 'system'],
]

const IMPORT = /(?:from|import)\s*\(?\s*'(\.[^']+)'/g

const domainOf = (path: string) => /^server\/([\w-]+)\//.exec(path)?.[1]
const levelOf = (domain: string) => ORDER.findIndex((level) => level.includes(domain))

interface Import {
  from: string
  to: string
}

const imports: Import[] = (
  await Promise.all(
    [...new Glob('server/*/**/*.ts').scanSync(ROOT)].map(async (from) =>
      [...(await Bun.file(join(ROOT, from)).text()).matchAll(IMPORT)].map((match) => ({
        from,
        to: normalize(join(dirname(from), match[1] ?? '')),
      })),
    ),
  )
).flat()

test('every directory of the server is a domain with a place in the order', () => {
  const domains = new Set(imports.map(({ from }) => domainOf(from) ?? ''))
  expect([...domains].sort()).toEqual(ORDER.flat().sort())
})

test('a domain imports only domains below it', () => {
  const upward = imports.filter(({ from, to }) => {
    const [own, other] = [domainOf(from), domainOf(to)]
    if (own === undefined || other === undefined || own === other) return false
    return levelOf(other) >= levelOf(own)
  })
  expect(upward).toEqual([])
})

test('a domain imports only the type of its dependencies from the files that assemble the server', () => {
  const assembly = imports.filter(({ to }) => /^server\/[\w-]+\.ts$/.test(to))
  const allowed = ({ from, to }: Import) =>
    to === 'server/deps.ts' && /^server\/([\w-]+)\/[\w-]+\.ts$/.test(from)
  expect(assembly.filter((each) => !allowed(each))).toEqual([])
})
