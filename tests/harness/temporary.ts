import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
const MEMORY_BYTES = 6 * 2 ** 30
/** Linux lists the mounted file systems there. */
const MOUNTS = '/proc/self/mounts'

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
    if (pid && !isRunning(pid)) remove(join(base, name))
  }
  const directory = mkdtempSync(join(base, `${prefix}${process.pid}-`))
  chmodSync(directory, 0o755)
  process.once('exit', () => remove(directory))
  return directory
}

/**
 * Deletes a directory and the file systems that a killed process left mounted in it. If it cannot be
 * deleted, it stays: that is no fault of the test that comes next.
 */
const remove = (directory: string) => {
  for (const mounted of mountsIn(directory)) spawnSync('umount', ['-l', mounted])
  try {
    rmSync(directory, { recursive: true, force: true })
  } catch (error) {
    console.warn(`${directory} is left:`, error)
  }
}

const mountsIn = (directory: string): string[] =>
  existsSync(MOUNTS)
    ? readFileSync(MOUNTS, 'utf8')
        .split('\n')
        .map((line) => line.split(' ')[1] ?? '')
        .filter((path) => path === directory || path.startsWith(`${directory}/`))
    : []

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
