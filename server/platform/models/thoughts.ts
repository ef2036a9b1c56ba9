const OPENING = '<think>'
const CLOSING = '</think>'

/**
 * Leaves out what a model thinks before it answers, where a server leaves that in the text between
 * tags. Later in an answer such tags are part of it.
 */
export const createThoughtFilter = () => {
  let state: 'beginning' | 'thinking' | 'thought' | 'answering' = 'beginning'
  let held = ''

  return {
    /** @returns what of the text so far is certainly answer, and was not returned yet. */
    next(piece: string): string {
      if (state === 'answering') return piece
      held += piece
      if (state === 'beginning') {
        const begun = held.trimStart()
        if (OPENING.startsWith(begun)) return ''
        if (!begun.startsWith(OPENING)) return this.end()
        state = 'thinking'
      }
      if (state === 'thinking') {
        const closing = held.indexOf(CLOSING)
        if (closing < 0) return ''
        held = held.slice(closing + CLOSING.length)
        state = 'thought'
      }
      held = held.trimStart()
      return held && this.end()
    },
    /** @returns what was held back and turned out to be answer. */
    end(): string {
      const answer = state === 'thinking' ? '' : held
      held = ''
      state = 'answering'
      return answer
    },
  }
}
