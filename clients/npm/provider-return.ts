/**
 * The response of a provider in the address of this page, and no longer in the address then, because it may have a
 * token. @param isRead whether the caller reads this response.
 */
export const takeReturn = (
  isRead: (query: URLSearchParams) => boolean,
): URLSearchParams | undefined => {
  // Without a page, such as in React Native, there is no address.
  const { pathname = '', search = '' } = (globalThis as Partial<typeof globalThis>).location ?? {}
  const query = new URLSearchParams(search)
  if (!pathname.endsWith('/auth/callback') || search === '' || !isRead(query)) return undefined
  history.replaceState(history.state, '', pathname)
  return query
}
