/** Matches whole words, in languages with spaces. */
export const wholeWords = (...alternatives: string[]): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{M}])(?:${alternatives.join('|')})(?![\\p{L}\\p{M}])`, 'iu')
