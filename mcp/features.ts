import type { McpFeature } from './feature.ts'
import { automation } from './features/automation.ts'

/** The optional features that take part in MCP tools. */
export const features: readonly McpFeature[] = [automation]
