import { join } from 'node:path'

/** Whether svc runs from the executable of `scripts/build.ts`, not from a checkout. */
export const isExecutable = (): boolean =>
  import.meta.path.startsWith('/$bunfs/') || import.meta.path.includes('~BUN')

const root = join(import.meta.dir, '..')

/**
 * The command that starts this svc from any folder. Without the options Bun would read the `.env` and the
 * `bunfig.toml` of the folder, and run code that the latter names.
 */
export const startCommand = (): string[] =>
  isExecutable()
    ? [process.execPath]
    : [
        ...[process.execPath, '--no-env-file', `--config=${join(root, 'bunfig.toml')}`],
        join(root, 'cli/main.ts'),
      ]
