export const textOf = (search: Record<string, unknown>, name: string) =>
  typeof search[name] === 'string' && search[name] ? { [name]: search[name] } : {}

/** The filter of the audit trail; days as in ISO 8601. */
export interface AuditSearch {
  action?: string
  user?: string
  from?: string
  until?: string
}

export const validateAudit = (search: Record<string, unknown>): AuditSearch => ({
  ...textOf(search, 'action'),
  ...textOf(search, 'user'),
  ...textOf(search, 'from'),
  ...textOf(search, 'until'),
})
