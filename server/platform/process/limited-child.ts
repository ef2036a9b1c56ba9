import { dirname } from 'node:path'

export interface ChildLimits {
  /** The most resident memory; a child that exceeds it is killed. */
  memoryBytes: number
  /** The most CPU time over the lifetime of the child. */
  cpuSeconds: number
}

/** Makes the executable of a release run a file, as Bun does. */
const AS_BUN = { BUN_BE_BUN: '1' }

/** Mapped memory is not always resident, so the kernel limit is higher than the resident limit. */
const DATA_FACTOR = 2

/**
 * By default, JavaScriptCore reserves 1 GiB for compiled code, which counts for `RLIMIT_DATA`. Where the
 * reservation fails, it interprets, which takes six times as long.
 */
const COMPILED_CODE_BYTES = 64 * 1024 * 1024

/**
 * Starts a TypeScript file in a separate process, with kernel limits on CPU time and, on Linux, on
 * memory (`RLIMIT_CPU`, `RLIMIT_DATA`; `RLIMIT_AS` does not work with the address space that
 * JavaScriptCore reserves). The child gets nothing of the environment, because it needs no secrets of the
 * server.
 */
export const spawnLimited = (entry: string, { memoryBytes, cpuSeconds }: ChildLimits) => {
  const command = [process.execPath, '--smol', entry]
  const dataKilobytes = Math.ceil((memoryBytes * DATA_FACTOR) / 1024)
  // Where the shell does not support a memory limit, only `watchUse` applies.
  const script = `ulimit -t ${cpuSeconds}; ulimit -d ${dataKilobytes} 2>/dev/null; exec "$@"`
  return Bun.spawn(
    process.platform === 'win32' ? command : ['/bin/sh', '-c', script, 'sh', ...command],
    {
      // Bun runs code that the `bunfig.toml` of the current folder names.
      cwd: dirname(entry),
      env: { ...AS_BUN, BUN_JSC_jitMemoryReservationSize: String(COMPILED_CODE_BYTES) },
      stdin: 'pipe',
      stdout: 'pipe',
      stderr: 'ignore',
    },
  )
}

export type LimitedChild = ReturnType<typeof spawnLimited>
