import { defineFeature } from '../../feature.ts'
import { activityRetention, createActivityService } from './service.ts'

/** The events of accounts and memories, for a time. */
export const activity = defineFeature({
  name: 'activity',
  retention: ({ activity }) => [activityRetention(() => activity)],
  start: ({ database, log, config }) => createActivityService(database, log, () => config.activity),
  endings: ({ erase, erasePeer }) => ({
    org: [{ run: erase }],
    user: [{ run: (tx, { id }) => erasePeer(tx, id) }],
  }),
  close: ({ close }) => [{ name: 'activity', stop: close }],
})
