import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Runs a command. @returns whether it succeeded. */
export const run = (...command: string[]) => Bun.spawnSync(command).exitCode === 0

/** Whether this process may mount a file system, which a full disk requires. */
export const canMount = (() => {
  const directory = mkdtempSync(join(tmpdir(), 'svc-mount-'))
  const isMounted = run('mount', '-t', 'tmpfs', '-o', 'size=64k', 'svc-test', directory)
  if (isMounted) run('umount', directory)
  rmSync(directory, { recursive: true })
  return isMounted
})()

/** A small file system that is always unmounted. */
export const mountSmall = (directory: string, size: string) => {
  if (!run('mkdir', '-p', directory)) throw new Error('no directory to mount on')
  if (!run('mount', '-t', 'tmpfs', '-o', `size=${size}`, 'svc-test', directory))
    throw new Error('not mounted')
  return {
    [Symbol.dispose]() {
      run('umount', '-l', directory)
    },
  }
}
