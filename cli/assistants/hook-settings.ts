import { join } from 'node:path'
import type { InstallScope, Machine } from '../../shared/mcp-clients.ts'
import { type AssistantName, assistants } from './clients.ts'

/** How an assistant declares its hooks. */
export interface HookSettings {
  /**
   * `groups`: `hooks.<event>` lists groups of commands; `commands`: it lists commands; `plugin`: a module in
   * a directory that the assistant loads.
   */
  form: 'groups' | 'commands' | 'plugin'
  /** The parts of the path in a project. */
  project: string[]
  /** The declaration of a command. The time limit is far above what `svc hook` takes. */
  entry: (command: string) => Readonly<Record<string, unknown>>
  /** The version of the format that a file declares. */
  version?: number
}

const TIMEOUT_SECONDS = 10

const timedCommand = (command: string) => ({ type: 'command', command, timeout: TIMEOUT_SECONDS })

/** Paths and formats as of November 2026, by the documentation of each assistant. */
export const hookSettings = {
  codex: {
    form: 'groups',
    project: ['.codex', 'hooks.json'],
    entry: timedCommand,
  },
  'claude-code': {
    form: 'groups',
    project: ['.claude', 'settings.json'],
    entry: timedCommand,
  },
  opencode: { form: 'plugin', project: ['.opencode', 'plugin', 'svc.js'], entry: () => ({}) },
  'gemini-cli': {
    form: 'groups',
    project: ['.gemini', 'settings.json'],
    entry: (command) => ({
      name: 'svc',
      ...timedCommand(command),
      // In milliseconds.
      timeout: TIMEOUT_SECONDS * 1000,
    }),
  },
  cursor: {
    form: 'commands',
    project: ['.cursor', 'hooks.json'],
    entry: (command) => ({ command, timeout: TIMEOUT_SECONDS }),
    version: 1,
  },
  vscode: {
    form: 'commands',
    project: ['.github', 'hooks', 'svc.json'],
    entry: timedCommand,
    version: 1,
  },
} as const satisfies Record<AssistantName, HookSettings>

/** The file that declares the hooks of an assistant. */
export const hooksPath = (name: AssistantName, scope: InstallScope, machine: Machine): string =>
  scope === 'project'
    ? join(machine.folder, ...hookSettings[name].project)
    : assistants[name].hooks(machine)

/** The events whose hooks run svc. */
export const hookEvents = (name: AssistantName): string[] =>
  Object.values<readonly string[]>(assistants[name].events).flat()

/** The declaration of a hook that runs a command. */
export const hookEntry = (name: AssistantName, command: string): unknown => {
  const { form, entry } = hookSettings[name]
  return form === 'groups' ? { hooks: [entry(command)] } : entry(command)
}
