/**
 * The scenarios of `@modelcontextprotocol/conformance` that do not apply, with reasons. All others
 * must pass. `docs/reference/mcp-conformance.md` lists both.
 */
export const notApplicable: Record<string, string> = {
  'tools-call-sampling': 'svc asks no model of the client',
  'resources-subscribe': 'older clients over HTTP have no stream for notifications',
  'resources-unsubscribe': 'older clients over HTTP have no stream for notifications',
  'server-sse-polling': 'no resumable streams',
  'tasks-lifecycle': 'extension: tasks',
  'tasks-capability-negotiation': 'extension: tasks',
  'tasks-wire-fields': 'extension: tasks',
  'tasks-request-state-removal': 'extension: tasks',
  'tasks-mrtr-input': 'extension: tasks',
  'tasks-request-headers': 'extension: tasks',
  'tasks-dispatch-and-envelope': 'extension: tasks',
  'tasks-status-notifications': 'extension: tasks',
  'tasks-required-task-error': 'extension: tasks',
  'tasks-mrtr-composition': 'extension: tasks',
}

/** The number of scenarios of each revision, so that a new one is noticed. */
export const applicable = { '2025-11-25': 29, '2026-07-28': 40 } as const
