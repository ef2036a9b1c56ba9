const OPENING = '<think>'
const CLOSING = '</think>'
/** White space after this is text, so that endless white space is not buffered. */
const MAX_LEADING_SPACE = 1_000

export type ReasoningFilter = ReturnType<typeof createReasoningFilter>

/**
 * Removes the reasoning at the start of a completion, which some servers leave in the text between
 * tags. Tags later in the text are kept.
 */
export const createReasoningFilter = () => {
  let state: 'beginning' | 'thinking' | 'thought' | 'answering' = 'beginning'
  let buffer = ''

  return {
    /** @returns the part of the text so far that is not reasoning and was not returned before. */
    next(piece: string): string {
      if (state === 'answering') return piece
      buffer += piece
      if (state === 'beginning') {
        const begun = buffer.trimStart()
        if (OPENING.startsWith(begun) && buffer.length <= MAX_LEADING_SPACE) return ''
        if (!begun.startsWith(OPENING)) return this.end()
        state = 'thinking'
      }
      if (state === 'thinking') {
        const closing = buffer.indexOf(CLOSING)
        if (closing < 0) {
          // The start of a tag that the next piece may continue.
          buffer = buffer.slice(1 - CLOSING.length)
          return ''
        }
        buffer = buffer.slice(closing + CLOSING.length)
        state = 'thought'
      }
      buffer = buffer.trimStart()
      return buffer && this.end()
    },

    /** Ends the text. @returns the buffered rest, unless it is reasoning. */
    end(): string {
      const answer = state === 'thinking' ? '' : buffer
      buffer = ''
      state = 'answering'
      return answer
    },
  }
}
