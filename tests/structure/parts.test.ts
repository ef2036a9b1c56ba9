import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { Glob } from 'bun'
import { ROOT } from '../harness/base.ts'
import { parts } from '../parts.ts'

const matchesFile = (pattern: string) => !new Glob(pattern).scanSync({ cwd: ROOT }).next().done

test('each pattern and test file of the parts of test:all names existing files', () => {
  const all = Object.values(parts)
  expect(all.flatMap(({ paths }) => paths).filter((path) => !matchesFile(path))).toEqual([])
  const files = all.flatMap(({ only, again }) => [...only, ...again])
  expect(files.filter((path) => !existsSync(`${ROOT}${path}`))).toEqual([])
})
