import type { AccountServices as Account } from '../account/account.ts'
import type { ActivityService } from '../account/activity/service.ts'
import { defineFeature } from '../feature.ts'
import { deletedMemoryRetention } from './memories/retention.ts'
import { startMemory } from './memory.ts'
import { serveMemory } from './routes.ts'

interface Needs {
  activity: Pick<ActivityService, 'record'>
  account: Pick<Account, 'timezones' | 'audit'>
}

/** Memories, the search in them, and the engines that derive facts, links and vectors from them. */
export const memory = defineFeature({
  name: 'memory',
  retention: () => [deletedMemoryRetention],
  start: (core, { activity, account }: Needs) =>
    startMemory(core, {
      record: activity.record,
      writersOf: account.timezones.of,
      recordSwitch: account.audit.record,
    }),
  endings: ({ erase, eraseAuthor, feedback, distrust }) => ({
    org: [{ locks: 'memories', run: erase }],
    takeOver: [{ run: feedback.erase }],
    user: [
      { locks: 'memories', run: eraseAuthor },
      { locks: 'memories', run: (tx, { id }) => erase(tx, id) },
      { run: (tx, { id }) => feedback.erase(tx, id) },
    ],
    distrust: [{ locks: 'memories', run: distrust }],
  }),
  orgsWrittenFor: ({ orgsWrittenFor }) => orgsWrittenFor,
  serve: serveMemory,
  begin({ backfills, recalls }, { duties, log }) {
    if (duties.runsBackgroundWork) backfills.begin()
    recalls.warm().catch((error) => log.error({ error }, 'warming up recall failed'))
  },
  stop: (memory) => [
    { name: 'transfers', stop: memory.transfers.stop },
    { name: 'engines', stop: memory.engines.stop },
    { name: 'memory', stop: memory.stop },
    { name: 'backfills', stop: memory.backfills.stop },
    { name: 'vectors', stop: memory.vectors.stop },
  ],
})
