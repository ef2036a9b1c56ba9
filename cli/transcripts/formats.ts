import { claudeCodeTranscripts } from './claude-code.ts'
import { codexTranscripts } from './codex.ts'
import { geminiTranscripts } from './gemini-cli.ts'
import { openCodeTranscripts } from './opencode.ts'
import type { TranscriptFormat } from './transcript.ts'

/** The assistants whose transcripts svc reads, by the name of the client in captures. */
export const transcriptFormats = {
  codex: codexTranscripts,
  'claude-code': claudeCodeTranscripts,
  opencode: openCodeTranscripts,
  'gemini-cli': geminiTranscripts,
} as const satisfies Record<string, TranscriptFormat>

export type TranscriptClient = keyof typeof transcriptFormats
