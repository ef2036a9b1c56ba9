import { expect, test } from 'bun:test'
import { identifierParts } from '../../server/memory/text/identifiers.ts'

test.each([
  ['isReadableFile', ['is', 'Readable', 'File']],
  ['parseHTTPResponse', ['parse', 'HTTP', 'Response']],
  ['os.path.isfile', ['os', 'path', 'isfile']],
  ['src/app/main.ts', ['src', 'app', 'main', 'ts']],
  ['PR-16093', ['PR', '16093']],
  ['OPS-4711', ['OPS', '4711']],
  ['v8.57.0', ['8.57.0']],
  ['+49 170 1234567', ['491701234567']],
  ['(030) 901820-0', ['0309018200']],
  // PostgreSQL separates these.
  ['retry_upload', []],
  ['well-known', []],
  ['#16093', []],
  // These have no parts of their own.
  ['plain words', []],
  ['2024-03-05', ['20240305']],
  ['10:30', []],
  ['e.g. this', []],
])('the parts of %s are %p', (text, parts) => {
  expect(identifierParts(text)).toEqual(parts)
})

test('a text of 32,000 characters is read in linear time, and has at most about 200 parts', () => {
  for (const unit of ['a.', 'aB', '1 ', '-1', 'a/', ':'])
    expect(identifierParts(unit.repeat(32_000 / unit.length)).length).toBeLessThan(250)
})
