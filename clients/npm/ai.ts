export type {
  ForgetInput,
  FoundMemory,
  MemoryTools,
  MemoryToolsOptions,
  RecallInput,
  RememberInput,
} from './memory-tools.ts'
export { memoryTools } from './memory-tools.ts'
export { type MemoryOptions, withMemory } from './with-memory.ts'
