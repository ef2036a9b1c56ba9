/**
 * Keeps what was created from settings until they change.
 * @param retire is called with what other settings replace, while it may still be in use.
 * @returns a function that returns what belongs to the current settings.
 */
export const createLatest = <Settings, T>(
  read: () => Settings,
  create: (settings: Settings) => T,
  retire: (replaced: T) => void = () => {},
): (() => T) => {
  let settings = read()
  let made = create(settings)
  return () => {
    const latest = read()
    if (latest !== settings && !Bun.deepEquals(latest, settings)) {
      const replaced = made
      made = create(latest)
      retire(replaced)
    }
    settings = latest
    return made
  }
}
