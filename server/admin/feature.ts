import { defineFeature } from '../feature.ts'
import { createAdmin, serveAdmin } from './admin.ts'

/** Users, settings and the state of the server, for its operators. */
export const admin = defineFeature({ name: 'admin', start: createAdmin, serve: serveAdmin })
