import type { ActivityService } from '../../account/activity/service.ts'
import { defineFeature } from '../../feature.ts'
import type { MemoryServices } from '../../memory/memory.ts'
import { contextRetention, contextRoutes, createContextService } from './service.ts'

interface Needs {
  activity: Pick<ActivityService, 'record'>
  memory: Pick<MemoryServices, 'memories' | 'recalls' | 'identity'>
}

/** The memories that a model should have before it answers. */
export const contexts = defineFeature({
  name: 'contexts',
  retention: () => [contextRetention],
  start: ({ database }, { activity, memory }: Needs) =>
    createContextService(database, memory, activity.record),
  endings: ({ erase }) => ({ user: [{ run: (tx, { id }) => erase(tx, id) }] }),
  serve: ({ mount }, contexts) => contextRoutes(mount, contexts),
})
