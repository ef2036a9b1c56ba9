import {
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'
import { users } from '../../../account/users/table.ts'
import { instant, jsonValue } from '../../../platform/db/columns.ts'

/** Devices that send signals, which trigger the reflexes of their user. */
export const senseDevices = pgTable(
  'sense_devices',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    deviceId: uuid('device_id').notNull(),
    deviceName: text('device_name').notNull(),
    capabilities: text().array().notNull().default([]),
    metadata: jsonb().$type<Record<string, unknown>>().notNull().default({}),
    /** About the number of its stored signals: it is written after them. */
    signalCount: integer('signal_count').notNull().default(0),
    lastSignalAt: instant('last_signal_at'),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.deviceId] })],
)

export type SenseDeviceRow = typeof senseDevices.$inferSelect

/** The foreign key of signals to their device. */
export const DEVICE_REFERENCE = 'sense_signals_device_fk'

/** The latest signals of each device. */
export const senseSignals = pgTable(
  'sense_signals',
  {
    userId: uuid('user_id').notNull(),
    deviceId: uuid('device_id').notNull(),
    signalId: uuid('signal_id').notNull(),
    signalType: text('signal_type').notNull(),
    value: jsonValue().notNull(),
    occurredAt: instant('occurred_at').notNull(),
    /** A hash of type, time and value, to deduplicate; null if the device sent no time. */
    contentHash: text('content_hash'),
    receivedAt: instant('received_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.deviceId, table.signalId] }),
    unique('sense_signals_content').on(table.userId, table.deviceId, table.contentHash),
    index('sense_signals_received').on(table.receivedAt),
    foreignKey({
      name: DEVICE_REFERENCE,
      columns: [table.userId, table.deviceId],
      foreignColumns: [senseDevices.userId, senseDevices.deviceId],
    }).onDelete('cascade'),
  ],
)

export type SenseSignalRow = typeof senseSignals.$inferSelect
