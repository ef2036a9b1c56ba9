/** `1 memory`, `1,234 memories`. */
export const formatMemoryCount = (count: number): string =>
  count === 1 ? '1 memory' : `${count.toLocaleString('en')} memories`
