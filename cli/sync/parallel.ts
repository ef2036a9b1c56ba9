/**
 * Works on several items at the same time. After an error no other item is begun.
 * @param limit the number of items at the same time.
 * @throws the first error, when the items that were begun have ended.
 */
export const inParallel = async <T>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> => {
  const left = items.values()
  let isFailed = false
  const worker = async () => {
    for (const item of left) {
      if (isFailed) return
      await work(item).catch((error: unknown) => {
        isFailed = true
        throw error
      })
    }
  }
  const results = await Promise.allSettled(Array.from({ length: limit }, worker))
  for (const result of results) if (result.status === 'rejected') throw result.reason
}
