import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PATH } from '../harness/programs.ts'

const SCRIPT = join(import.meta.dir, '../../scripts/release.ts')

/** Runs a command. @throws Error with its output when it fails. */
export const run = async (command: string[]): Promise<string> => {
  const child = Bun.spawn(command, {
    env: { ...process.env, PATH },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [stdout, stderr, code] = await Promise.all([
    child.stdout.text(),
    child.stderr.text(),
    child.exited,
  ])
  if (code !== 0) throw new Error(`${command.join(' ')}: ${stdout}${stderr}`)
  return stdout
}

/** Builds releases and unpacks them. `directory` has one folder for each. */
export const unpackedReleases = async (...names: string[]) => {
  const directory = mkdtempSync(join(tmpdir(), 'svc-test-release-'))
  const dispose = () => rmSync(directory, { recursive: true, force: true })
  try {
    // The tests unpack the archives at once, so a small size is not worth seconds of compression.
    const options = ['--to', directory, '--level', '1']
    const written = await run([process.execPath, SCRIPT, ...options, ...names])
    for (const archive of written.split('\n').filter((path) => path.endsWith('.tar.gz'))) {
      await run(['tar', '-xzf', archive, '-C', directory])
      rmSync(archive)
    }
    return { directory, [Symbol.dispose]: dispose }
  } catch (error) {
    dispose()
    throw error
  }
}
