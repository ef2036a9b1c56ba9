import { count } from './tools/numbers.ts'

export const memoriesOf = (memories: number): string =>
  count(memories, { one: 'memory', other: 'memories' })
