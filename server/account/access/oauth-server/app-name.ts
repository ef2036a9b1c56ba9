/** The session of a grant keeps the name of its client as the user agent. */
const SUFFIX = ' (MCP)'

export const userAgentOfApp = (clientName: string): string => `${clientName}${SUFFIX}`

export const appNameOf = (userAgent: string): string =>
  userAgent.endsWith(SUFFIX) ? userAgent.slice(0, -SUFFIX.length) : userAgent
