import { join } from 'node:path'

/** Whether svc runs from the executable of `scripts/build.ts`, not from a checkout. */
export const isExecutable = (): boolean =>
  import.meta.path.startsWith('/$bunfs/') || import.meta.path.includes('~BUN')

const root = join(import.meta.dir, '..')

/** The command that starts this svc from any folder, for settings of other programs. */
export const startCommand = (): string[] => {
  if (isExecutable()) return [process.execPath]
  if (process.platform !== 'win32') return [join(root, 'svc')]
  // The launcher is a shell script. These options are why it exists.
  const options = ['--no-env-file', `--config=${join(root, 'bunfig.toml')}`]
  return [process.execPath, ...options, join(root, 'cli/main.ts')]
}
