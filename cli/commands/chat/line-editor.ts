import { createInterface, type Key } from 'node:readline'
import type { Runtime } from '../../runtime.ts'

/** The result of reading input: `interrupt` for Ctrl-C, `end` for Ctrl-D. */
type LineInput = { kind: 'message'; text: string } | { kind: 'interrupt' } | { kind: 'end' }

const BRACKETED_PASTE = { on: '\x1b[?2004h', off: '\x1b[?2004l' }
const NO_PASTE = { on: '', off: '' }
const PROMPT = '› '
const CONTINUATION_PROMPT = '… '

interface LineEditorOptions {
  /** Previous messages for the arrow keys, newest first. */
  history: string[]
  /** Completions for Tab. */
  words: string[]
  /** Whether the terminal supports escape sequences. */
  escapes: boolean
}

/**
 * Reads messages at the terminal with readline. Pasted lines, and lines that end with a backslash,
 * are joined to one message.
 */
export const openLineEditor = (
  runtime: Runtime,
  { history, words, escapes }: LineEditorOptions,
) => {
  const { stderr } = runtime
  const stdin = runtime.stdin.keys
  const paste = escapes ? BRACKETED_PASTE : NO_PASTE
  // One interface for all messages: a second one would receive the same stdin events.
  const reading = createInterface({
    input: stdin,
    output: stderr,
    history,
    historySize: 1_000,
    removeHistoryDuplicates: true,
    completer: (line: string) => [words.filter((word) => word.startsWith(line)), line],
  })
  let resolveRead: ((typed: LineInput) => void) | undefined
  let isPasting = false
  let hasEnded = false
  let lines: string[] = []

  const onKey = (_: string | undefined, key: Key | undefined) => {
    if (key?.name === 'paste-start') isPasting = true
    if (key?.name === 'paste-end') isPasting = false
  }
  const finish = (typed: LineInput) => {
    lines = []
    restore()
    if (!hasEnded) reading.pause()
    stdin.setRawMode(false)
    resolveRead?.(typed)
  }
  const showPrompt = (prompt: string) => {
    reading.setPrompt(prompt)
    reading.prompt()
  }
  // The shell must not receive paste sequences after svc exits.
  const restore = () => void stderr.write(paste.off)
  const atExit = runtime.onExit(restore)
  stdin.on('keypress', onKey)
  reading.on('line', (line) => {
    const continues = isPasting || line.endsWith('\\')
    lines.push(continues && !isPasting ? line.slice(0, -1) : line)
    if (continues) showPrompt(CONTINUATION_PROMPT)
    else finish({ kind: 'message', text: lines.join('\n') })
  })
  reading.on('SIGINT', () => {
    stderr.write('\n')
    finish({ kind: 'interrupt' })
  })
  reading.on('close', () => {
    hasEnded = true
    finish({ kind: 'end' })
  })
  return {
    /** Reads a message. Raw mode ends before it resolves, so that Ctrl-C is a signal again. */
    readMessage: (): Promise<LineInput> =>
      new Promise((resolve) => {
        resolveRead = resolve
        if (hasEnded) return finish({ kind: 'end' })
        stdin.setRawMode(true)
        stderr.write(paste.on)
        showPrompt(PROMPT)
      }),
    [Symbol.dispose]: () => {
      resolveRead = undefined
      stdin.off('keypress', onKey)
      atExit[Symbol.dispose]()
      if (!hasEnded) reading.close()
    },
  }
}
