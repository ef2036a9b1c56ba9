import { DAY_MS } from '../../../shared/duration.ts'
import { defineRetention } from '../../platform/retention.ts'
import { deleteOldFirings } from './firings/store.ts'
import { deleteOldIntents } from './intents/store.ts'
import { deleteOldSignals } from './senses/store.ts'

const RETENTION_DAYS = 30

const oldest = () => new Date(Date.now() - RETENTION_DAYS * DAY_MS)

export const automationRetention = [
  defineRetention({ name: 'reflex_firings', run: ({ db }) => deleteOldFirings(db, oldest()) }),
  defineRetention({ name: 'sense_signals', run: ({ db }) => deleteOldSignals(db, oldest()) }),
  defineRetention({ name: 'intents', run: ({ db }) => deleteOldIntents(db, oldest()) }),
]
