import { expect } from 'bun:test'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spawnServer } from '../harness/process.ts'

/** A directory that is deleted after the test. */
export const scratch = () => {
  const path = mkdtempSync(join(tmpdir(), 'svc-test-start-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

/** Starts a server with invalid settings. @returns the lines of its stderr, without the progress. */
export const refusal = async (env: Record<string, string>): Promise<string[]> => {
  await using server = spawnServer(env)
  const { code, stderr } = await server.result()
  expect(code).toBe(1)
  return stderr
    .trimEnd()
    .split('\n')
    .filter((line) => !line.startsWith('Creating the database'))
}

/** Starts a server on a database that it cannot use; `pattern` matches the only line of its stderr. */
export const refusedWith = async (url: string, pattern: RegExp) => {
  using dir = scratch()
  const dataDir = join(dir.path, 'data')
  const lines = await refusal({ SVC_DATABASE_URL: url, SVC_DATA_DIR: dataDir })
  expect(lines).toEqual([expect.stringMatching(pattern)])
  expect(existsSync(dataDir)).toBe(false)
}
