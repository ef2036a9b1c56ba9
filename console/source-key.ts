import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../', import.meta.url))

/** The build depends on these files and directories only. */
const INPUTS = ['console', 'shared', 'bun.lock']

export const BUILD_SCRIPT = join(ROOT, 'console/build.ts')

/** Beside the packages that the build contains. */
export const CACHE_DIRECTORY = join(ROOT, 'node_modules/.cache/svc-console')

/** A hash of the sources: the build of changed sources has another one. */
export const sourceKey = (): string => {
  const hash = createHash('sha256')
  for (const input of INPUTS) {
    const names = input.includes('.')
      ? ['']
      : readdirSync(join(ROOT, input), { recursive: true, encoding: 'utf8' }).sort()
    for (const name of names.filter((each) => each === '' || /\.\w+$/.test(each)))
      hash.update(`${input}/${name}\0`).update(readFileSync(join(ROOT, input, name)))
  }
  return hash.digest('hex').slice(0, 16)
}
