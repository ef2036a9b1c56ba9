import { createWriteStream, mkdirSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { packTar, type TarSource } from 'modern-tar/fs'
import { RELEASED_AT } from './version.ts'

const EXECUTABLE = 0o111

/** Everything in a directory, in the order of the names, whatever that of the file system is. */
const sourcesIn = (directory: string, target: string): TarSource[] =>
  readdirSync(directory, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const source = join(directory, entry.name)
      const name = `${target}/${entry.name}`
      return entry.isDirectory()
        ? sourcesIn(source, name)
        : [{ type: 'file' as const, source, target: name }]
    })

/**
 * Writes a directory as `.tar.gz`. Two archives of equal files are equal: entries are sorted, and have no
 * owner, no time but that of the release and one of two modes (reproducible-builds.org, "Archive metadata").
 * @param name the folder that the archive unpacks to.
 * @param level of the compression, 1 (fast) to 9 (small).
 */
export const writeArchive = async (
  directory: string,
  name: string,
  path: string,
  level: number,
): Promise<void> => {
  mkdirSync(dirname(path), { recursive: true })
  const tar = packTar(sourcesIn(directory, name), {
    map: (header) => ({
      ...header,
      uid: 0,
      gid: 0,
      uname: '',
      gname: '',
      mtime: RELEASED_AT,
      mode: (header.mode ?? 0) & EXECUTABLE ? 0o755 : 0o644,
    }),
  })
  await pipeline(tar, createGzip({ level }), createWriteStream(path))
}
