const open = new Set<() => Promise<void>>()

/** A disposable that is also released when the process is interrupted. */
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

/** Releases in reverse order, because a server must close its database before that is dropped. */
const releaseAll = async () => {
  for (const release of [...open].reverse()) await release()
  process.exit(130)
}
process.once('SIGINT', releaseAll)
process.once('SIGTERM', releaseAll)
