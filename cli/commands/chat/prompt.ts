import { createInterface, type Key } from 'node:readline'

/** What was typed; `interrupt` for Ctrl-C, `end` for Ctrl-D. */
export type Typed = { kind: 'message'; text: string } | { kind: 'interrupt' } | { kind: 'end' }

export interface Prompt extends Disposable {
  /** Asks for a message. The terminal is given back before it resolves, so that Ctrl-C is a signal again. */
  ask(): Promise<Typed>
}

const BRACKETED_PASTE = { on: '\x1b[?2004h', off: '\x1b[?2004l' }
const NOTHING = { on: '', off: '' }
const PROMPT = '› '
const MORE = '… '

/**
 * Asks for messages at the terminal, with the keys that readline knows. Pasted lines stay together,
 * and so do lines that end with a backslash.
 * @param history what the arrow keys bring back, the newest first.
 * @param words what Tab completes.
 * @param escapes whether the terminal knows escape sequences.
 */
export const openPrompt = (history: string[], words: string[], escapes: boolean): Prompt => {
  const { stdin, stderr } = process
  const paste = escapes ? BRACKETED_PASTE : NOTHING
  // One for all messages: a second reader of the same stdin would hear what the first hears.
  const reading = createInterface({
    input: stdin,
    output: stderr,
    history,
    historySize: 1_000,
    removeHistoryDuplicates: true,
    completer: (line: string) => [words.filter((word) => word.startsWith(line)), line],
  })
  let settle: ((typed: Typed) => void) | undefined
  let isPasting = false
  let hasEnded = false
  let lines: string[] = []

  const onKey = (_: string | undefined, key: Key | undefined) => {
    if (key?.name === 'paste-start') isPasting = true
    if (key?.name === 'paste-end') isPasting = false
  }
  const finish = (typed: Typed) => {
    lines = []
    restore()
    if (!hasEnded) reading.pause()
    stdin.setRawMode(false)
    settle?.(typed)
  }
  const ask = (prompt: string) => {
    reading.setPrompt(prompt)
    reading.prompt()
  }
  // Whatever ends svc, the shell after it does not know of pasting.
  const restore = () => stderr.write(paste.off)
  process.once('exit', restore)
  stdin.on('keypress', onKey)
  reading.on('line', (line) => {
    const goesOn = isPasting || line.endsWith('\\')
    lines.push(goesOn && !isPasting ? line.slice(0, -1) : line)
    if (goesOn) ask(MORE)
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
    ask: () =>
      new Promise((resolve) => {
        settle = resolve
        if (hasEnded) return finish({ kind: 'end' })
        stdin.setRawMode(true)
        stderr.write(paste.on)
        ask(PROMPT)
      }),
    [Symbol.dispose]: () => {
      settle = undefined
      stdin.off('keypress', onKey)
      process.off('exit', restore)
      if (!hasEnded) reading.close()
    },
  }
}
