import { join } from 'node:path'

const NAME = 'SHA256SUMS'

const sha256 = async (path: string): Promise<string> => {
  const hash = new Bun.CryptoHasher('sha256')
  for await (const chunk of Bun.file(path).stream()) hash.update(chunk)
  return hash.digest('hex')
}

/** Writes the checksums of files, in the form that `sha256sum --check` reads. @returns the name of their file. */
export const writeChecksums = async (directory: string, names: string[]): Promise<string> => {
  const lines = await Promise.all(
    names.toSorted().map(async (name) => `${await sha256(join(directory, name))}  ${name}\n`),
  )
  await Bun.write(join(directory, NAME), lines.join(''))
  return NAME
}
