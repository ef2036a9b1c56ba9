import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import fc from 'fast-check'
import { parse } from 'yaml'
import {
  newDocument,
  readDocument,
  relabelDocument,
  replaceDocument,
} from '../../cli/sync/document.ts'
import { fieldsOfMemory } from '../../cli/sync/fields.ts'
import { createNames, nameFor, pathKey } from '../../cli/sync/names.ts'
import type { Memory } from '../../shared/contract/memories.ts'
import { foldLabel, normalizeLabel } from '../../shared/labels.ts'

// Thousands of generated files.
setDefaultTimeout(60_000)

const ID = '01a20409-e762-7070-bfd4-743f73a9008e'
const OTHER_ID = '01a20409-e762-7070-bfd4-743f73a9008f'

const memoryOf = (fields: Partial<Memory>): Memory => ({
  memory_id: ID,
  content_text: 'Ada prefers tea.',
  memory_type: 'semantic',
  importance: 0.5,
  tags: [],
  thread: null,
  position: null,
  author: null,
  agent_slug: null,
  project: null,
  org_id: null,
  source: { kind: 'session', ref: null, trust: 'user' },
  metadata: {},
  occurred_at: null,
  created_at: '2026-01-31T09:30:00.000Z',
  updated_at: '2026-01-31T09:30:00.000Z',
  valid_from: null,
  valid_to: null,
  supersedes: null,
  superseded_by: null,
  ...fields,
})

/** Texts as PostgreSQL has them: without NUL, and with whole characters only. */
const text = fc
  .oneof(
    fc.string({ unit: 'binary' }),
    fc
      .array(fc.constantFrom('---', '\n', '\r\n', '\r', ' ', 'id: x', '\ufeff', 'é', '😀', '"'))
      .map((parts) => parts.join('')),
  )
  .map((each) => each.replaceAll('\0', ''))
const content = text.filter((each) => /\S/.test(each))
const label = text.map(normalizeLabel).filter((each) => each !== '' && each.length <= 50)

const memories = fc
  .record({
    content_text: content,
    tags: fc.uniqueArray(label, { maxLength: 4, selector: foldLabel }),
    thread: fc.option(text.filter((each) => each !== '')),
    memory_type: fc.constantFrom('semantic', 'episodic', 'procedural', 'preference'),
    occurred_at: fc.option(fc.constant('2026-01-31T09:30:00.123Z')),
  } as const)
  .map((fields) => memoryOf(fields))

describe('a file', () => {
  test('the file of any memory is read as that memory', () => {
    fc.assert(
      fc.property(memories, (memory) => {
        const read = readDocument(newDocument(memory))
        expect(read).toEqual({
          id: ID,
          content: memory.content_text,
          fields: fieldsOfMemory(memory),
        })
      }),
      { numRuns: 2_000 },
    )
  })

  test('a file of any form that becomes another memory has its text, and again the same text', () => {
    fc.assert(
      fc.property(
        content,
        memories,
        fc.constantFrom(
          '',
          '---\nmine: 1\n---\n',
          '\ufeff---\r\nmine: 1\r\n---\r\n',
          '---\n{mine: 1}\n---\n',
          '---\n\r\r\nmine: 1\r\n---\n',
          '---\n\r\r\n---\n',
        ),
        (old, memory, start) => {
          const replaced = replaceDocument(start + old, memory)
          const read = readDocument(replaced)
          expect(read).toMatchObject({ id: ID, content: memory.content_text })
          expect(replaceDocument(replaced, memory)).toBe(replaced)
        },
      ),
      { numRuns: 1_000 },
    )
  })

  test('any text gets an id without a change of the text', () => {
    fc.assert(
      fc.property(text, (old) => {
        const before = readDocument(old)
        if ('problem' in before) return
        const after = readDocument(relabelDocument(old, memoryOf({})))
        expect(after).toEqual({ ...before, id: ID })
      }),
      { numRuns: 2_000 },
    )
  })

  test('the properties of the user stay to the letter', () => {
    const own = [
      '# A comment',
      'aliases: [ "Tea",  Chai ]   # why not',
      "title: 'Ada''s tea'",
      'nested:',
      '    deep:   1',
      '',
      'text: |',
      '  two',
      '   lines',
    ].join('\n')
    const file = `---\n${own}\ntags: [old]\nlast: ~\n---\nAda prefers tea.\n`
    const written = replaceDocument(file, memoryOf({ tags: ['drinks'], content_text: 'Coffee.' }))
    expect(written).toContain(`---\n${own}\ntags:\n  - drinks\nlast: ~\n`)
    expect(readDocument(written)).toMatchObject({ id: ID, content: 'Coffee.' })
  })

  test.each([
    '  a: 1\n  b: [2]',
    '{ a: 1, b: [2] }',
    '# Only a comment\n',
    '&x a: 1\nb: *x',
    '"a": 1\n? b\n: 2',
  ])('front matter of the form %j gets an id, and keeps its values', (yaml) => {
    const before = parse(yaml) ?? {}
    const written = relabelDocument(`---\n${yaml}\n---\ntext\n`, memoryOf({}))
    expect(readDocument(written)).toMatchObject({ id: ID, content: 'text' })
    expect(parse(written.split('---\n')[1] ?? '')).toEqual({ ...before, id: ID })
  })

  test('CRLF, a byte order mark and the other lines stay when a file gets an id', () => {
    const file = '\ufeff---\r\ntitle: Tea\r\n---\r\n\r\nAda\r\nprefers tea.\r\n'
    expect(readDocument(file)).toMatchObject({ id: undefined, content: 'Ada\nprefers tea.' })
    expect(relabelDocument(file, memoryOf({}))).toBe(
      `\ufeff---\r\ntitle: Tea\r\nid: ${ID}\r\n---\r\n\r\nAda\r\nprefers tea.\r\n`,
    )
    expect(relabelDocument('Ada.\r\nTea.', memoryOf({}))).toBe(
      `---\r\nid: ${ID}\r\n---\r\n\r\nAda.\r\nTea.`,
    )
  })

  test('properties of the user with the names of those of svc keep their values', () => {
    const file =
      '---\nid: 202601311200\ntype: book\nsource: https://example.com\ncreated: 2020-05-05\n---\nTea.\n'
    const written = replaceDocument(file, memoryOf({ content_text: 'Coffee.' }))
    expect(written).toBe(
      `---\nid: 202601311200\ntype: book\nsource: https://example.com\ncreated: 2020-05-05\nmemory_id: ${ID}\n---\n\nCoffee.\n`,
    )
    expect(readDocument(written)).toMatchObject({ id: ID, content: 'Coffee.' })
    expect(relabelDocument(written, memoryOf({ memory_id: OTHER_ID }))).toBe(
      written.replace(ID, OTHER_ID),
    )
  })

  test.each([
    ['', 'is empty'],
    [`---\nid: ${ID}\n---\n\n`, 'is empty'],
    ['a\0b', 'is not a text'],
    ['---\na: [\n---\ntext', 'has front matter that is not YAML'],
    ['---\na: 1\na: 2\n---\ntext', 'has front matter that is not YAML'],
    ['x'.repeat(32_001), 'has more than 32,000 characters'],
    [`---\ntags: [${'x'.repeat(101)}]\n---\ntext`, 'has a tag of more than 100 characters'],
  ])('%j %s', (file, problem) => {
    const read = readDocument(file)
    expect('problem' in read && read.problem).toStartWith(problem)
  })

  test('a file with damaged front matter is still known by its id', () => {
    expect(readDocument(`---\nid: ${ID}\na: [\n---\ntext`)).toMatchObject({ id: ID })
  })

  test.each([
    ['tags: a, b', ['a', 'b']],
    ['tags: [a, 1, null, " a "]', ['a', '1']],
    ['tags:', []],
    ['tags: { a: 1 }', []],
  ])('%j has the tags %j', (line, tags) => {
    expect(readDocument(`---\n${line}\n---\ntext`)).toMatchObject({ fields: { tags } })
  })

  test('a text between two thematic breaks is no front matter', () => {
    expect(readDocument('---\nhello\n---\ntext')).toMatchObject({
      content: '---\nhello\n---\ntext',
    })
    expect(readDocument('---\nnot: closed')).toMatchObject({ content: '---\nnot: closed' })
  })
})

describe('a name', () => {
  test.each([
    ['# Hello: world/you?', 'Hello world you'],
    ['CON', 'CON_'],
    ['nul.txt', 'nul_.txt'],
    ['...hidden', 'hidden'],
    ['ends with points...', 'ends with points'],
    ['\n\n- item *bold* [[link]]', 'item bold link'],
    ['e\u0301te\u0301', 'été'],
    ['???', 'memory'],
    ['👨‍👩‍👧 family', '👨‍👩‍👧 family'],
  ])('the name of %j is %j', (from, to) => {
    expect(nameFor(from)).toBe(to)
  })

  test('the name of any text is safe on every file system', () => {
    fc.assert(
      fc.property(text, (from) => {
        const name = nameFor(from)
        expect(name).not.toMatch(/[<>:"/\\|?*\x00-\x1f]|^[ .]|[ .]$|^$/)
        expect(name).toBe(name.normalize('NFC'))
        expect(Buffer.byteLength(`${name} (conflict 2026-01-31) 1000.md`)).toBeLessThan(255)
        expect(name.split('.')[0]).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)$/i)
      }),
      { numRuns: 2_000 },
    )
  })

  test('names are unique without regard to case and normalization', () => {
    const names = createNames(['tea.md', 'E\u0301te\u0301.md'])
    expect(names.free('Tea')).toBe('Tea 2.md')
    expect(names.free('Été')).toBe('Été 2.md')
    const paths = Array.from({ length: 5_000 }, () => names.free('same', 'folder'))
    expect(new Set(paths.map(pathKey)).size).toBe(5_000)
    expect(paths[4_999]).toBe('folder/same 5000.md')
  })
})
