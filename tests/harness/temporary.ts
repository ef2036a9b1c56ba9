import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
const MEMORY_BYTES = 6 * 2 ** 30

/**
 * Creates a directory that every user can enter and that is deleted when this process exits. It is in
 * memory where this machine has enough of it, because `initdb` takes a third of the time there.
 * Deletes the directories that killed processes left.
 * @param prefix names the directories of the same purpose.
 */
export const temporaryDirectory = (prefix: string): string => {
  const base = hasMemory() ? MEMORY : tmpdir()
  for (const name of readdirSync(base)) {
    const pid = name.startsWith(prefix) && Number(name.slice(prefix.length).split('-')[0])
    if (pid && !isRunning(pid)) rmSync(join(base, name), { recursive: true, force: true })
  }
  const directory = mkdtempSync(join(base, `${prefix}${process.pid}-`))
  chmodSync(directory, 0o755)
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
  return directory
}

const hasMemory = (): boolean => {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize > MEMORY_BYTES && canExecute(MEMORY)
  } catch {
    return false
  }
}

/** Container engines mount it without the right to execute. */
const canExecute = (directory: string): boolean => {
  const script = join(directory, `svc-test-${crypto.randomUUID()}`)
  try {
    writeFileSync(script, '#!/bin/sh\n', { mode: 0o700 })
    return spawnSync(script).status === 0
  } finally {
    rmSync(script, { force: true })
  }
}

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
