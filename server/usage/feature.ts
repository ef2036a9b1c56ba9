import { defineFeature } from '../feature.ts'
import { serveUsage } from './routes.ts'
import { startUsage } from './usage.ts'

/** Tiers with their limits, and the usage that counts against them. */
export const usage = defineFeature({ name: 'usage', start: startUsage, serve: serveUsage })
