/** The URL of a path of the server, below the path that its address may have. */
export const urlBelow = (baseUrl: string, path: string): URL =>
  new URL(baseUrl.replace(/(?<!\/)\/+$/, '') + path)

/** The path of the address of a server, without the final slash: empty for `https://example.com`. */
export const basePathOf = (baseUrl: string): string =>
  new URL(baseUrl).pathname.replace(/(?<!\/)\/+$/, '')

/** The address of a server without credentials, query and final slash. */
export const addressOf = (baseUrl: string): string => new URL(baseUrl).origin + basePathOf(baseUrl)
