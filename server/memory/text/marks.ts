/** The start of a tag that looks like our marks, or like a control token of a chat template. */
const MARKS = [
  /<(?=\s*(?:\/\s*)?(?:data|svc-memory|memory|file|page|note)\b)/gi,
  /<(?=[|｜])/g,
  /<(?=\/?s>|<?\/?SYS>|(?:start|end)_of_turn|bos>|eos>|\/?(?:system|assistant|user|tool_call|tool_response)>)/gi,
]
const INSTRUCTION_MARKS =
  /\[(?=\/?(?:INST|SYSTEM_PROMPT|TOOL_CALLS|TOOL_RESULTS|AVAILABLE_TOOLS)\])/g
/** Invisible characters that a model reads: Unicode tags and bidirectional controls. */
const INVISIBLE = /[\u{E0000}-\u{E007F}\u202A-\u202E\u2066-\u2069]/gu

/** Text in which nothing looks like the marks of a prompt; all other characters are unchanged. */
export const escapeMarks = (text: string): string =>
  MARKS.reduce((escaped, mark) => escaped.replace(mark, '‹'), text)
    .replace(INSTRUCTION_MARKS, '［')
    .replace(INVISIBLE, '')
