import { InvalidArgumentError, Option } from 'commander'
import type { MemoryType, Trust } from '../../shared/contract/memories.ts'
import type { ScopeMode } from '../../shared/contract/recall.ts'
import type { ClientName } from '../../shared/mcp-clients.ts'

export const parseNumber = (text: string): number => {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value))
    throw new InvalidArgumentError('Must be a number.')
  return value
}

const parseWholeNumber = (text: string): number => {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('Must be a whole number.')
  return Number(text)
}

export const parsePositiveInteger = (text: string): number => {
  const value = parseWholeNumber(text)
  if (value < 1) throw new InvalidArgumentError('Must be greater than 0.')
  return value
}

const MAX_PORT = 65_535

export const parsePort = (text: string): number => {
  const port = parseWholeNumber(text)
  if (port > MAX_PORT) throw new InvalidArgumentError(`Must be at most ${MAX_PORT}.`)
  return port
}

/** Collects the values of a repeated option. */
export const collectValues = (text: string, previous: string[] = []): string[] => [
  ...previous,
  text,
]

// Listed here, because importing the schema would load TypeBox on every start.
const memoryTypes = Object.keys({
  semantic: true,
  episodic: true,
  procedural: true,
  preference: true,
} satisfies Record<MemoryType, true>)

export const typeOption = (description: string) =>
  new Option('--type <type>', description).choices(memoryTypes)

export const scopeModes = Object.keys({
  tiered: true,
  agent: true,
  personal: true,
  org: true,
  all: true,
} satisfies Record<ScopeMode, true>)

/** The assistants that `svc connect` and `svc mcp install` configure. */
export const clientNames = Object.keys({
  'claude-code': true,
  'claude-desktop': true,
  cursor: true,
  vscode: true,
  codex: true,
  opencode: true,
  'gemini-cli': true,
  windsurf: true,
  zed: true,
} satisfies Record<ClientName, true>)

/** The levels of `--min-trust`. The program starts without the contract. */
export const trustLevels = Object.keys({
  user: true,
  assistant: true,
  imported: true,
  external: true,
} satisfies Record<Trust, true>)

/** Why an admin changes something. */
export const reasonOption = () => new Option('--reason <text>', 'reason, for the audit log')
