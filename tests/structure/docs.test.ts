import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Glob } from 'bun'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

const pages = new Map<string, string>()
for (const pattern of ['*.md', 'docs/**/*.md'])
  for (const path of new Glob(pattern).scanSync(ROOT))
    pages.set(path, await Bun.file(join(ROOT, path)).text())

/** Without code blocks, which contain no links and no headings. */
const proseOf = (text: string) => text.replace(/^```.*?^```$/gms, '')

/** The anchors that GitHub generates for the headings of a page. */
const anchorsOf = (text: string): string[] =>
  [...proseOf(text).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )

const brokenLinks = (all: ReadonlyMap<string, string>): string[] =>
  [...all].flatMap(([path, text]) =>
    [...proseOf(text).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, link = '']) => link)
      .filter((link) => !/^[a-z]+:/.test(link))
      .filter((link) => {
        const [file = '', anchor] = link.split('#')
        const target = file ? normalize(join(dirname(path), file)) : path
        if (anchor === undefined) return !all.has(target) && !existsSync(join(ROOT, target))
        return !anchorsOf(all.get(target) ?? '').includes(anchor)
      })
      .map((link) => `${path}: ${link}`),
  )

describe('links between the documents', () => {
  test('every relative link and anchor resolves', () => {
    expect(pages.size).toBeGreaterThan(40)
    expect(brokenLinks(pages)).toEqual([])
  })

  test('the check reports a missing page and a missing heading', () => {
    const all = new Map([
      ['docs/a.md', '# One\n[b](b.md#two-words) [c](c.md) [x](b.md#three) [own](#one) [no](#two)'],
      ['docs/b.md', '## Two `words`\n[root](../README.md)'],
    ])
    expect(brokenLinks(all)).toEqual([
      'docs/a.md: c.md',
      'docs/a.md: b.md#three',
      'docs/a.md: #two',
    ])
  })

  test('every page is reachable from the index', () => {
    const linked = new Set(
      ['docs/README.md', 'docs/decisions/README.md'].flatMap((index) =>
        [...(pages.get(index) ?? '').matchAll(/\]\(([^)#\s]+)/g)].map(([, link = '']) =>
          normalize(join(dirname(index), link)),
        ),
      ),
    )
    const all = [...pages.keys()].filter((path) => path.startsWith('docs/'))
    expect(all.filter((path) => !linked.has(path) && path !== 'docs/README.md')).toEqual([])
  })
})

describe('sections of the contract', () => {
  const contract = pages.get('docs/reference/contract.md') ?? ''
  const sections = [...contract.matchAll(/^#+ (\d(?:\.\d)?) /gm)].map(([, number]) => number)
  const missingIn = (text: string) =>
    [...text.matchAll(/contract,? (?:section )?(\d+(?:\.\d+)?)/g)]
      .map(([, number]) => number)
      .filter((number) => !sections.includes(number))

  test('every section that the source names exists', async () => {
    const missing: string[] = []
    for (const path of new Glob('{server,shared,cli,mcp}/**/*.ts').scanSync(ROOT)) {
      const text = await Bun.file(join(ROOT, path)).text()
      missing.push(...missingIn(text).map((number) => `${path}: ${number}`))
    }
    expect(missing).toEqual([])
  })

  test('the check reports a section that does not exist', () => {
    const text =
      'as in contract 7.5, contract, section 8, (contract 7.8) and contract, section 12.1'
    expect(missingIn(text)).toEqual(['7.8', '12.1'])
  })
})

test('every source path that the documents name exists', () => {
  const missing = [...pages].flatMap(([path, text]) =>
    [...proseOf(text).matchAll(/`((?:server|shared|cli|mcp|tests|bench|scripts|docs)\/[\w./-]*)`/g)]
      .map(([, named = '']) => named)
      .filter((named) => !existsSync(join(ROOT, named)))
      .map((named) => `${path}: ${named}`),
  )
  expect(missing).toEqual([])
})
