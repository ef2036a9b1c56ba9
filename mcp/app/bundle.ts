import { join } from 'node:path'

/**
 * Bundles the scripts and styles of the page. A macro: it runs while the program is bundled, or on the first
 * read in a clone, and the program contains the texts. The bundler cannot be called from a macro directly.
 * @throws Error with the output of the bundler.
 */
export const bundle = (): { script: string; style: string } => {
  const build = (file: string): string => {
    const entry = join(import.meta.dir, 'view', file)
    const { stdout, stderr, exitCode } = Bun.spawnSync(
      [process.execPath, 'build', entry, '--target=browser', '--minify'],
      // An executable that was compiled with Bun is Bun with this variable.
      { env: { BUN_BE_BUN: '1' } },
    )
    if (exitCode !== 0) throw new Error(`The build of ${entry} failed: ${stderr}`)
    return stdout.toString().trim()
  }
  return { script: build('main.ts'), style: build('style.css') }
}
