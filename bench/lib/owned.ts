const open = new Set<() => Promise<void>>()

/** Something that must be let go of, at the end of its scope or when the program is interrupted. */
export const owned = (release: () => Promise<void>): AsyncDisposable => {
  let released: Promise<void> | undefined
  const once = () => {
    open.delete(once)
    released ??= release()
    return released
  }
  open.add(once)
  return { [Symbol.asyncDispose]: once }
}

/** The last opened first: a server lets go of its database before that is dropped. */
const releaseAll = async () => {
  for (const release of [...open].reverse()) await release()
  process.exit(130)
}
process.once('SIGINT', releaseAll)
process.once('SIGTERM', releaseAll)
