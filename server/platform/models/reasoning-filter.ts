const OPENING = '<think>'
const CLOSING = '</think>'

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
        if (OPENING.startsWith(begun)) return ''
        if (!begun.startsWith(OPENING)) return this.end()
        state = 'thinking'
      }
      if (state === 'thinking') {
        const closing = buffer.indexOf(CLOSING)
        if (closing < 0) return ''
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
