import { expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { replaceStalePid } from '../../server/platform/db/embedded/leftover.ts'

test('a stale process id in postmaster.pid is replaced; a file that was deleted is not created', () => {
  const directory = mkdtempSync(join(tmpdir(), 'svc-leftover-'))
  const path = join(directory, 'postmaster.pid')
  writeFileSync(path, '4711\n/data\nready\n')
  replaceStalePid(directory)
  expect(readFileSync(path, 'utf8')).toBe(`${process.pid}\n/data\nready\n`)
  // The old server deletes it when it ends.
  rmSync(path)
  replaceStalePid(directory)
  expect(existsSync(path)).toBe(false)
  rmSync(directory, { recursive: true })
})
