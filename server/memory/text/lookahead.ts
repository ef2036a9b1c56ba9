import { budgets } from '../../platform/budgets.ts'

/**
 * The marks that PostgreSQL's parser reads past to find out whether a word begins an email address, a host,
 * a path or a hyphenated word; if not, it returns and parses the next word in the same way. Whitespace that
 * all locales have ends the run.
 */
const MARK_OR_SPACE = /[-@._/:~?]|[ \t\n\v\f\r]+/g
const MARK = /^[-@._/:~?]/
/** The parser looks for a host behind each `@`, and there again, so that it takes the most time. */
const WEIGHTS: Record<string, number> = { '@': 4 }
const COMMENT_START = '<!--'
const COMMENT_END = '-->'

/**
 * Separates words so that the parser of PostgreSQL's text search takes linear time. It is quadratic in the
 * marks of an unbroken run, and in comments without an end. Other texts are returned as they are.
 */
export const limitLookahead = (text: string): string => endComments(cutRuns(text))

/** Puts a space into a run before each mark that the run has too many of. */
const cutRuns = (text: string): string => {
  let weight = 0
  return text.replace(MARK_OR_SPACE, (found) => {
    const added = MARK.test(found) ? (WEIGHTS[found] ?? 1) : 0
    weight = added && weight + added
    if (weight <= budgets.searchTextRun.count) return found
    weight = added
    return ` ${found}`
  })
}

/** For each comment, the parser searches the rest of the text for its end. */
const endComments = (text: string): string => {
  const last = text.lastIndexOf(COMMENT_END)
  return text.replaceAll(COMMENT_START, (start, at: number) =>
    at + COMMENT_START.length <= last ? start : '< !--',
  )
}
