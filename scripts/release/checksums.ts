import { join } from 'node:path'

export const CHECKSUMS = 'SHA256SUMS'

const sha256 = async (path: string): Promise<string> => {
  const hash = new Bun.CryptoHasher('sha256')
  for await (const chunk of Bun.file(path).stream()) hash.update(chunk)
  return hash.digest('hex')
}

/** Writes the checksums of files, in the form that `sha256sum --check` reads. */
export const writeChecksums = async (directory: string, names: string[]): Promise<void> => {
  const lines = await Promise.all(
    names.toSorted().map(async (name) => `${await sha256(join(directory, name))}  ${name}\n`),
  )
  await Bun.write(join(directory, CHECKSUMS), lines.join(''))
}

/**
 * Compares files with their checksums.
 * @throws Error for a file that has no checksum, is missing or has changed.
 */
export const checkFiles = async (directory: string, names: string[]): Promise<void> => {
  const list = Bun.file(join(directory, CHECKSUMS))
  if (!(await list.exists())) throw new Error(`${list.name} is missing. Run: npm run release`)
  const sums = new Map(
    (await list.text())
      .split('\n')
      .map((line) => line.split('  '))
      .map(([sum, name]) => [name, sum]),
  )
  for (const name of names) {
    const sum = sums.get(name)
    if (!sum) throw new Error(`${CHECKSUMS} does not list ${name}. Run: npm run release`)
    if (!(await Bun.file(join(directory, name)).exists())) throw new Error(`${name} is missing`)
    if ((await sha256(join(directory, name))) !== sum)
      throw new Error(`${name} is not the file that the release wrote`)
  }
}
