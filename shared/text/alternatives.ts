/**
 * Compiles a list in lines into alternatives of a regular expression. ` | ` and the end of a line separate them.
 * An alternative may contain spaces, and may itself be an expression.
 */
export const alternatives = (list: string): string =>
  list
    .trim()
    .split('\n')
    .flatMap((line) => line.trim().split(' | '))
    .join('|')
