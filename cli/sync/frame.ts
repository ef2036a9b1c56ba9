import { split } from './front-matter.ts'

/** The text and the mode around the content of a file: with them, a deleted file is written again to the letter. */
export type Frame = { mode: number } & (
  | { before: string; after: string; isCrlf?: true | undefined }
  | { whole: string }
)

interface FramedText {
  text: string
  content: string
  mode: number
}

/** @param isStored whether the account has the content to the letter. Otherwise the frame has the whole text. */
export const frameOf = ({ text, content, mode }: FramedText, isStored: boolean): Frame => {
  const { lineEnd } = split(text)
  const isCrlf = lineEnd === '\r\n'
  const body = content.replaceAll('\n', lineEnd)
  const after = text.endsWith(body + lineEnd) ? lineEnd : ''
  if (!isStored || !text.endsWith(body + after)) return { mode, whole: text }
  const before = text.slice(0, text.length - body.length - after.length)
  return { mode, before, after, ...(isCrlf && { isCrlf }) }
}

/** The text of a file with a frame. */
export const framed = (frame: Frame, content: string): string =>
  'whole' in frame
    ? frame.whole
    : frame.before + (frame.isCrlf ? content.replaceAll('\n', '\r\n') : content) + frame.after

export const isSameFrame = (a: Frame | undefined, b: Frame | undefined): boolean =>
  a === b || JSON.stringify(a) === JSON.stringify(b)
