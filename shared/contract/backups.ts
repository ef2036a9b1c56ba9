import { type Static, Type } from '@sinclair/typebox'
import { Nullable, OneOf, Timestamp, Uuid } from './common.ts'
import { endpoint } from './endpoint.ts'

const BACKUP_STATES = ['waiting', 'running', 'done', 'failed'] as const
export type BackupState = (typeof BACKUP_STATES)[number]

export const ServerBackup = Type.Object(
  {
    id: Uuid(),
    state: OneOf(BACKUP_STATES),
    scheduled: Type.Boolean({ description: 'Whether the schedule started it.' }),
    encrypted: Type.Boolean(),
    path: Nullable(Type.String({ description: 'The file.' })),
    host: Nullable(Type.String({ description: 'The machine that has the file.' })),
    present: Nullable(
      Type.Boolean({
        description: 'Whether the file is still there; null if it is on another machine.',
      }),
    ),
    size_bytes: Nullable(Type.Integer()),
    progress: Nullable(Type.String({ examples: ['table 12 of 60: memories'] })),
    error: Nullable(Type.String()),
    restore_command: Nullable(
      Type.String({
        description: 'The command that restores it on that machine while svc is stopped.',
      }),
    ),
    created_at: Timestamp(),
    finished_at: Nullable(Timestamp()),
  },
  { $id: 'ServerBackup' },
)
export type ServerBackup = Static<typeof ServerBackup>

export const ServerBackups = Type.Object({
  backups: Type.Array(ServerBackup, { description: 'The last 100, newest first.' }),
  next_at: Nullable(Timestamp({ description: 'When the schedule starts the next one.' })),
})
export type ServerBackups = Static<typeof ServerBackups>

const tag = 'Admin'

export const listServerBackups = endpoint({
  name: 'listServerBackups',
  method: 'GET',
  path: '/api/admin/backups',
  tag,
  summary: 'List the backups that the running server made',
  credential: 'bearer',
  adminOnly: true,
  success: [200, ServerBackups],
})

export const startServerBackup = endpoint({
  name: 'startServerBackup',
  method: 'POST',
  path: '/api/admin/backups',
  tag,
  summary: 'Back up the server now, in the background',
  credential: 'jwt',
  adminOnly: true,
  success: [202, ServerBackup],
  affects: ['listServerBackups', 'adminAuditLog'],
  errors: { 403: ['admin_revoked'], 409: ['backup_running'] },
})
