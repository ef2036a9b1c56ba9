/** Where Debian has the programs of administrators, which the PATH of a user may lack. */
export const PATH = `${process.env.PATH}:/usr/sbin:/sbin`

/** Whether the tests that need these programs run: with CI set they do, and fail without the programs. */
export const hasPrograms = (...programs: string[]): boolean => {
  const missing = programs.filter((program) => !Bun.which(program, { PATH }))
  if (missing.length === 0 || process.env.CI) return true
  process.stderr.write(`tests are skipped: not installed: ${missing.join(', ')}\n`)
  return false
}
