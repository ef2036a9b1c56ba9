/** A number with its noun. */
export const count = (number: number, one: string, many: string): string =>
  `${number.toLocaleString()} ${number === 1 ? one : many}`
export const memoriesOf = (number: number) => count(number, 'memory', 'memories')
