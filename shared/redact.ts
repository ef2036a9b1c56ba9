/**
 * Hides the user and password of each URL in a text. A malformed URL may have any character but a space in
 * its password, so all from the scheme to the last `@` of the word is hidden. An `@` in the path of a web
 * page is not.
 */
export const redactUrls = (text: string): string =>
  text
    .split('://')
    .map((part, i, parts) => (i === 0 ? part : redactUser(part, parts[i - 1] ?? '')))
    .join('://')

const HOST_AND_PATH = /^(?:[^\s:/?#@[\]]+|\[[\da-f:.]+\])(?::\d+)?[/?#]/i

const redactUser = (rest: string, before: string): string => {
  const word = /^\S*/.exec(rest)?.[0] ?? ''
  const end = word.lastIndexOf('@')
  if (end < 0 || (/https?$/i.test(before) && HOST_AND_PATH.test(word))) return rest
  return `[hidden]${rest.slice(end)}`
}
