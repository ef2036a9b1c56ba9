/**
 * The elements that assistants and svc add to the text of a person: the context of svc, the state of the
 * machine, instructions from files, and the output of commands.
 */
const ADDED_ELEMENTS = [
  'svc-memory',
  // Codex
  'environment_context',
  'user_instructions',
  'user_shell_command',
  'permissions instructions',
  'turn_aborted',
  'subagent_notification',
  'skill',
  // Claude Code
  'system-reminder',
  'user-prompt-submit-hook',
  'local-command-caveat',
  'local-command-stdout',
  'local-command-stderr',
  'command-contents',
  'bash-input',
  'bash-stdout',
  'bash-stderr',
  'task-notification',
  'ide_opened_file',
  'ide_selection',
  // Gemini CLI
  'session_context',
  'hook_context',
  'state_snapshot',
]

/** The text of a person without what svc or the assistant added to it. */
export const withoutAddedText = (text: string): string => {
  if (!text.includes('</')) return text
  let rest = text
  for (const name of ADDED_ELEMENTS) rest = withoutElement(rest, name)
  return rest === text ? text : rest.trim()
}

/** Removes the elements of a name. One without an end stays, because a person may have typed it. */
const withoutElement = (text: string, name: string): string => {
  const open = `<${name}`
  const close = `</${name}>`
  let kept = ''
  let at = 0
  for (;;) {
    const start = findOpen(text, open, at)
    const end = start === -1 ? -1 : text.indexOf(close, start)
    if (end === -1) return at === 0 ? text : kept + text.slice(at)
    kept += text.slice(at, start)
    at = end + close.length
  }
}

/** An element begins a line, as what programs add does. A mention within a sentence does not. */
const findOpen = (text: string, open: string, from: number): number => {
  for (let start = text.indexOf(open, from); start !== -1; start = text.indexOf(open, start + 1)) {
    const after = text[start + open.length]
    const isName = after === '>' || after === ' ' || after === '\n'
    const isLineStart = start === from || text[start - 1] === '\n'
    if (isName && isLineStart) return start
  }
  return -1
}
