import { InvalidArgumentError, Option } from 'commander'
import type { MemoryType, ScopeMode } from '../../shared/schemas/memory.ts'

export const number = (text: string): number => {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value))
    throw new InvalidArgumentError('It takes a number.')
  return value
}

const wholeNumber = (text: string): number => {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('It takes a whole number.')
  return Number(text)
}

export const positive = (text: string): number => {
  const value = wholeNumber(text)
  if (value < 1) throw new InvalidArgumentError('It takes a number above 0.')
  return value
}

/** Collects an option that may be given several times. */
export const several = (text: string, earlier: string[] = []): string[] => [...earlier, text]

// Written out, because the schema would bring its whole library into every start.
const memoryTypes = Object.keys({
  semantic: true,
  episodic: true,
  procedural: true,
  preference: true,
} satisfies Record<MemoryType, true>)

export const typeOption = (description: string) =>
  new Option('--type <type>', description).choices(memoryTypes)

export const scopes = Object.keys({
  tiered: true,
  agent: true,
  personal: true,
  org: true,
  all: true,
} satisfies Record<ScopeMode, true>)
