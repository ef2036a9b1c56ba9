import { join } from 'node:path'
import type { Machine } from '../../shared/mcp-clients.ts'

/** An assistant whose hooks or plugins can run `svc hook`. */
export interface Assistant {
  title: string
  /** The directory of its settings and transcripts for the user. */
  home(machine: Machine): string
  /** The file that declares the hooks of the user. */
  hooks(machine: Machine): string
  /**
   * How its hook input names the events: a prompt, the end of a turn, the start of a session, a text of the
   * assistant, if the end of the turn has none, and the compaction of the conversation.
   */
  events: Partial<Record<'prompt' | 'end' | 'start' | 'answer' | 'compaction', readonly string[]>>
  /** The events whose output may add context for the model, as the documentation of the assistant states. */
  contextEvents: readonly ('prompt' | 'start')[]
}

const CLAUDE_EVENTS = {
  prompt: ['UserPromptSubmit'],
  end: ['Stop'],
  start: ['SessionStart'],
  compaction: ['PreCompact'],
}

const codexHome = ({ codexHome: dir, home }: Machine): string => dir ?? join(home, '.codex')
const claudeHome = ({ claudeConfigDir, home }: Machine): string =>
  claudeConfigDir ?? join(home, '.claude')
const openCodeHome = ({ xdgConfigHome, home }: Machine): string =>
  join(xdgConfigHome ?? join(home, '.config'), 'opencode')

/** The assistants that `svc hook` and `svc connect` know, by the name in their commands. */
export const assistants = {
  codex: {
    title: 'Codex',
    home: codexHome,
    hooks: (machine) => join(codexHome(machine), 'hooks.json'),
    events: { ...CLAUDE_EVENTS, compaction: ['PreCompact', 'PostCompact'] },
    contextEvents: ['prompt'],
  },
  'claude-code': {
    title: 'Claude Code',
    home: claudeHome,
    hooks: (machine) => join(claudeHome(machine), 'settings.json'),
    events: CLAUDE_EVENTS,
    contextEvents: ['prompt'],
  },
  // The plugin of svc runs the hook with the events of OpenCode, and with the fields of Codex.
  opencode: {
    title: 'OpenCode',
    home: openCodeHome,
    hooks: (machine) => join(openCodeHome(machine), 'plugin', 'svc.js'),
    events: {
      prompt: ['chat.message'],
      end: ['session.idle'],
      start: ['session.created'],
      compaction: ['session.compacted'],
    },
    contextEvents: ['prompt'],
  },
  'gemini-cli': {
    title: 'Gemini CLI',
    home: ({ home }) => join(home, '.gemini'),
    hooks: ({ home }) => join(home, '.gemini', 'settings.json'),
    events: {
      prompt: ['BeforeAgent'],
      end: ['AfterAgent'],
      start: ['SessionStart'],
      compaction: ['PreCompress'],
    },
    contextEvents: ['prompt'],
  },
  cursor: {
    title: 'Cursor',
    home: ({ home }) => join(home, '.cursor'),
    hooks: ({ home }) => join(home, '.cursor', 'hooks.json'),
    events: {
      prompt: ['beforeSubmitPrompt'],
      end: ['stop'],
      start: ['sessionStart'],
      answer: ['afterAgentResponse'],
      compaction: ['preCompact'],
    },
    contextEvents: ['start'],
  },
  vscode: {
    title: 'VS Code',
    home: ({ home }) => join(home, '.copilot'),
    hooks: ({ home }) => join(home, '.copilot', 'hooks', 'svc.json'),
    events: CLAUDE_EVENTS,
    contextEvents: ['start'],
  },
} as const satisfies Record<string, Assistant>

export type AssistantName = keyof typeof assistants

export const assistantNames = Object.keys(assistants) as AssistantName[]

export const isAssistantName = (name: string): name is AssistantName =>
  Object.hasOwn(assistants, name)
