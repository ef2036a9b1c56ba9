/**
 * The scenarios of `@modelcontextprotocol/conformance` that do not apply, and why. All others are
 * promised to pass. `docs/mcp.md` lists both.
 */
export const notApplicable: Record<string, string> = {
  'tools-call-sampling': 'asks the client within a call',
  'tools-call-elicitation': 'asks the client within a call',
  'elicitation-sep1034-defaults': 'asks the client within a call',
  'elicitation-sep1330-enums': 'asks the client within a call',
  'resources-subscribe': 'no subscriptions',
  'resources-unsubscribe': 'no subscriptions',
  'server-sse-polling': 'no streams to take up again',
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

/** How many scenarios apply to each revision, so that none is left out unseen. */
export const applicable = { '2025-11-25': 26, '2026-07-28': 40 } as const
