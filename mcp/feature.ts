import type { Client } from '../shared/client.ts'
import type { OptionalFeatureName } from '../shared/features.ts'

/** The part of an optional feature of the server in the MCP tools; `features.ts` lists all. */
export interface McpFeature {
  name: OptionalFeatureName
  /** The person keeps both memories of a contradiction. */
  keepBoth?(client: Client, anchorKey: string, signal: AbortSignal): Promise<void>
}
