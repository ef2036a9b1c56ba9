export interface Sequences {
  /** Does the work after all earlier work with this key, whether that succeeds or fails. */
  run<T>(key: string, work: () => Promise<T>): Promise<T>
}

/** Work that is done one after another where it has the same key. */
export const createSequences = (): Sequences => {
  const last = new Map<string, Promise<unknown>>()
  return {
    async run(key, work) {
      const earlier = last.get(key)
      const done = earlier ? earlier.then(work, work) : work()
      last.set(key, done)
      try {
        return await done
      } finally {
        if (last.get(key) === done) last.delete(key)
      }
    },
  }
}
