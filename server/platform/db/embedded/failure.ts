import { StartError } from '../../operator-error.ts'

/** The error for a binary that does not run, from the output of the loader or the system. */
export const explainBinary = (written: string): StartError => {
  const [, library] =
    /error while loading shared libraries: (\S+?):/.exec(written) ??
    /Library not loaded: (\S+)/.exec(written) ??
    []
  const reason = library
    ? `the library ${library} is missing`
    : /ENOENT|not found|GLIBC|relocating/.test(written)
      ? 'it needs glibc 2.27 or later, which systems with musl such as Alpine do not have'
      : lastError(written)
  return new StartError(
    `SVC_DATABASE_URL: the embedded PostgreSQL does not run on this system: ${reason}; set SVC_DATABASE_URL to a PostgreSQL server`,
  )
}

/** The error for a database that cannot be created or started, from the output of PostgreSQL. */
export const explain = (written: string, directory: string): StartError => {
  if (/No space left on device|ENOSPC|Disk quota exceeded|EDQUOT|wrote only \d+ of/.test(written))
    return new StartError(
      `SVC_DATA_DIR: no space is left on the file system of ${directory}; free some, then start svc again`,
    )
  if (/Read-only file system|EROFS/.test(written))
    return new StartError(`SVC_DATA_DIR: the file system of ${directory} is read-only`)
  return new StartError(
    `SVC_DATA_DIR: the database in ${directory} cannot be opened (${lastError(written)}); restore it from a backup, or name another directory`,
  )
}

/** Whether the start failed because processes of a killed server still run. */
export const isStillInUse = (written: string): boolean =>
  written.includes('pre-existing shared memory block')

/** The first error message, such as `could not open file …`, without time and severity. */
const lastError = (written: string): string => {
  const lines = written.split('\n').filter((line) => line.trim())
  const found = lines.find((line) => /(FATAL|PANIC|error):/.test(line)) ?? lines.at(-1)
  return found?.replace(/^.*?(?:FATAL|PANIC|error):\s*/, '').trim() ?? 'PostgreSQL ended at once'
}
