import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { isSuspicious } from '../../cli/sync/deletions.ts'
import { agrees, type Fields, hashOf } from '../../cli/sync/fields.ts'
import {
  type AccountMemories,
  type AccountMemory,
  type Base,
  type FoundFile,
  planSync,
} from '../../cli/sync/plan.ts'

const fieldsOf = (text: string, tags: string[] = []): Fields => ({
  content: hashOf(text),
  tags,
  type: 'semantic',
  thread: undefined,
  happened: undefined,
})

const baseOf = (text: string, path = `${text}.md`): Base => {
  const fields = fieldsOf(text)
  return { path, local: fields, remote: fields, info: '' }
}
const fileOf = (
  text: string,
  id: string | undefined,
  path = `${text}.md`,
  tags?: string[],
): FoundFile => ({
  path,
  id,
  fields: fieldsOf(text, tags),
})
const memoryOf = (text: string, tags?: string[]): AccountMemory => ({
  fields: fieldsOf(text, tags),
  info: '',
})
const accountOf = (
  memories: Record<string, AccountMemory>,
  superseded: Record<string, { by: string; fields: Fields }> = {},
): AccountMemories => ({
  memories: new Map(Object.entries(memories)),
  superseded: new Map(Object.entries(superseded)),
})

const planned = (
  base: Record<string, Base>,
  files: FoundFile[],
  account: AccountMemories,
  isHidden?: (path: string) => boolean,
): { kind: string; id?: string; path?: string }[] =>
  planSync({
    base: new Map(Object.entries(base)),
    files,
    account,
    ...(isHidden && { isHidden }),
  }).map((action) => ({
    kind: action.kind,
    ...('id' in action && { id: action.id }),
    ...('file' in action && { path: action.file.path }),
  }))

const A = { a: memoryOf('tea') }
const SUPERSEDED = accountOf({ b: memoryOf('coffee') }, { a: { by: 'b', fields: fieldsOf('tea') } })

describe('the plan', () => {
  test.each([
    ['nothing for what is equal', { a: baseOf('tea') }, [fileOf('tea', 'a')], accountOf(A), []],
    [
      'an unknown file is remembered, and an unknown memory gets a file',
      {},
      [fileOf('heron', undefined)],
      accountOf(A),
      [
        { kind: 'remember', path: 'heron.md' },
        { kind: 'create', id: 'a' },
      ],
    ],
    [
      'an edited text supersedes',
      { a: baseOf('tea') },
      [fileOf('coffee', 'a', 'tea.md')],
      accountOf(A),
      [{ kind: 'supersede', id: 'a', path: 'tea.md' }],
    ],
    [
      'edited tags update',
      { a: baseOf('tea') },
      [fileOf('tea', 'a', 'tea.md', ['x'])],
      accountOf(A),
      [{ kind: 'update', id: 'a', path: 'tea.md' }],
    ],
    [
      'a missing file is forgotten',
      { a: baseOf('tea') },
      [],
      accountOf(A),
      [{ kind: 'forget', id: 'a' }],
    ],
    [
      'a forgotten memory deletes its file',
      { a: baseOf('tea') },
      [fileOf('tea', 'a')],
      accountOf({}),
      [{ kind: 'remove', id: 'a', path: 'tea.md' }],
    ],
    [
      'what both deleted is dropped',
      { a: baseOf('tea') },
      [],
      accountOf({}),
      [{ kind: 'drop', id: 'a' }],
    ],
    [
      'a superseded memory is written into its file',
      { a: baseOf('tea') },
      [fileOf('tea', 'a')],
      SUPERSEDED,
      [{ kind: 'write', id: 'b', path: 'tea.md' }],
    ],
    [
      'two different edits are a conflict',
      { a: baseOf('tea') },
      [fileOf('water', 'a', 'tea.md')],
      SUPERSEDED,
      [{ kind: 'conflict', id: 'b', path: 'tea.md' }],
    ],
    [
      'two equal edits are linked',
      { a: baseOf('tea') },
      [fileOf('coffee', 'a', 'tea.md')],
      SUPERSEDED,
      [{ kind: 'link', id: 'b', path: 'tea.md' }],
    ],
    [
      'a file that is deleted here and changed there is written again',
      { a: baseOf('tea') },
      [],
      SUPERSEDED,
      [
        { kind: 'drop', id: 'a' },
        { kind: 'create', id: 'b' },
      ],
    ],
    [
      'an edited file of a forgotten memory is kept',
      { a: baseOf('tea') },
      [fileOf('water', 'a', 'tea.md')],
      accountOf({}),
      [{ kind: 'keep', id: 'a', path: 'tea.md' }],
    ],
    [
      'a file of an earlier version without a state gets the current one',
      {},
      [fileOf('tea', 'a')],
      SUPERSEDED,
      [{ kind: 'write', id: 'b', path: 'tea.md' }],
    ],
    [
      'a file with an unknown text without a state is a conflict',
      {},
      [fileOf('water', 'a')],
      accountOf(A),
      [{ kind: 'conflict', id: 'a', path: 'water.md' }],
    ],
    [
      'two memories that became one keep one file',
      { a: baseOf('tea'), b: baseOf('coffee') },
      [fileOf('tea', 'a'), fileOf('coffee', 'b')],
      SUPERSEDED,
      [{ kind: 'remove', id: 'a', path: 'tea.md' }],
    ],
    [
      'a renamed file is linked at its new path',
      { a: baseOf('tea') },
      [fileOf('tea', 'a', 'sub/other.md')],
      accountOf(A),
      [{ kind: 'link', id: 'a', path: 'sub/other.md' }],
    ],
    [
      'a file without an id at a known path is that memory',
      { a: baseOf('tea') },
      [fileOf('coffee', undefined, 'tea.md')],
      accountOf(A),
      [{ kind: 'supersede', id: 'a', path: 'tea.md' }],
    ],
    [
      'a name in another normalization is the same path',
      { a: baseOf('tea', '\u00e9.md') },
      [fileOf('coffee', undefined, 'e\u0301.md')],
      accountOf(A),
      [{ kind: 'supersede', id: 'a', path: 'e\u0301.md' }],
    ],
    [
      'a checkout of an earlier version is an edit',
      { b: baseOf('coffee', 'tea.md') },
      [fileOf('tea', 'a')],
      SUPERSEDED,
      [{ kind: 'supersede', id: 'b', path: 'tea.md' }],
    ],
    [
      'a copy is a new file, and the known path keeps the memory',
      { a: baseOf('tea') },
      [fileOf('tea', 'a', 'a copy.md'), fileOf('tea', 'a')],
      accountOf(A),
      [{ kind: 'remember', path: 'a copy.md' }],
    ],
    [
      'a file that cannot be read now is neither forgotten nor written',
      { a: baseOf('tea') },
      [{ path: 'tea.md', id: undefined, fields: undefined }],
      SUPERSEDED,
      [],
    ],
  ])('%s', (_, base, files, account, expected) => {
    expect(planned(base as Record<string, Base>, files, account)).toEqual(expected)
  })

  test('a file in a folder that cannot be read is neither forgotten nor written again', () => {
    const base = { a: baseOf('tea', 'work/tea.md') }
    const isHidden = (path: string) => path.startsWith('work/')
    expect(planned(base, [], accountOf(A), isHidden)).toEqual([])
    expect(planned(base, [], SUPERSEDED, isHidden)).toEqual([])
  })

  const ids = fc.constantFrom('a', 'b', 'c', 'd')
  const texts = fc.constantFrom('tea', 'coffee', 'water')
  const states = fc.record({
    base: fc.dictionary(ids, fc.tuple(texts, fc.constantFrom('1.md', '2.md', '3.md'))),
    files: fc.uniqueArray(
      fc.record({
        path: fc.constantFrom('1.md', '2.md', '3.md', '4.md', '5.md'),
        id: fc.option(ids, { nil: undefined }),
        text: fc.option(texts, { nil: undefined }),
      }),
      { selector: ({ path }) => path },
    ),
    memories: fc.dictionary(ids, texts),
    superseded: fc.dictionary(ids, fc.tuple(texts, ids)),
  })

  test('no step deletes a text that the other side does not have, and each file and memory has one step', () => {
    fc.assert(
      fc.property(states, ({ base, files, memories, superseded }) => {
        const found = {
          base: new Map(Object.entries(base).map(([id, [text, path]]) => [id, baseOf(text, path)])),
          files: files.map(({ path, id, text }) => ({
            path,
            id,
            fields: text === undefined ? undefined : fieldsOf(text),
          })),
          account: accountOf(
            Object.fromEntries(Object.entries(memories).map(([id, text]) => [id, memoryOf(text)])),
            Object.fromEntries(
              Object.entries(superseded)
                .filter(([id]) => !(id in memories))
                .map(([id, [text, by]]) => [id, { by, fields: fieldsOf(text) }]),
            ),
          ),
        }
        const actions = planSync(found)
        for (const action of actions) {
          const known = 'id' in action ? found.base.get(action.id) : undefined
          if (action.kind === 'remove') expect(action.file.fields).toEqual(known?.local as Fields)
          if (action.kind === 'forget')
            expect(found.account.memories.get(action.id)?.fields).toEqual(known?.remote as Fields)
          if (action.kind === 'write') {
            const { file, old } = action
            const earlier = [found.base.get(old)?.local, found.account.superseded.get(old)?.fields]
            expect(earlier.some((each) => each && agrees(file.fields as Fields, each))).toBe(true)
          }
        }
        const paths = actions.flatMap((action) => ('file' in action ? [action.file.path] : []))
        expect(new Set(paths).size).toBe(paths.length)
        const ofMemories = actions.flatMap((action) =>
          'id' in action && action.kind !== 'drop' ? [action.id] : [],
        )
        expect(new Set(ofMemories).size).toBe(ofMemories.length)
      }),
      { numRuns: 5_000 },
    )
  })
})

test.each([
  [0, 0, false],
  [1, 1, false],
  [2, 2, true],
  [3, 10, false],
  [4, 10, true],
  [4, 100, false],
  [21, 100, true],
  [100, 100, true],
])('%d deletions of %d files are suspicious: %p', (count, tracked, expected) => {
  expect(isSuspicious(count, tracked)).toBe(expected)
})
