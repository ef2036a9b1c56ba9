/** Fixed error texts that clients may compare with. */
export const errorText = {
  invalidKey: 'Invalid API key',
  badCredentials: 'Could not validate credentials',
  tokenExpired: 'Token expired',
  tooManyRequests: 'Too many requests. Please try again later.',
  notFound: 'Not Found',
  internal: 'Internal server error',
  adminOnly: 'Admin access required',
  notOrgMember: 'Not a member of this organization',
} as const
