import { type Static, Type } from '@sinclair/typebox'
import { Nullable, OneOf, Timestamp } from './common.ts'
import { endpoint } from './endpoint.ts'

export const SETTING_GROUPS = [
  'mail',
  'models',
  'transcription',
  'sign_in',
  'server',
  'backup',
] as const
export type SettingGroup = (typeof SETTING_GROUPS)[number]

/** The groups whose values can be tested. */
export const TESTED_GROUPS = ['mail', 'models', 'transcription', 'sign_in', 'backup'] as const
export type TestedGroup = (typeof TESTED_GROUPS)[number]

const Name = () =>
  Type.String({
    maxLength: 100,
    description: 'The name of the environment variable with the same meaning.',
    examples: ['SVC_MAIL_FROM'],
  })

const MAX_VALUE = 2_000
const NewValue = Type.String({
  minLength: 1,
  maxLength: MAX_VALUE,
  trim: true,
  examples: ['svc <svc@example.com>'],
})

export const ServerSetting = Type.Object(
  {
    name: Name(),
    group: OneOf(SETTING_GROUPS),
    about: Type.String(),
    default: Type.String({ description: 'The value without a setting; empty: none.' }),
    source: OneOf(['environment', 'stored', 'default'], {
      description: '`environment`: the variable is set, and the setting cannot be changed.',
    }),
    value: Nullable(
      Type.String({
        description:
          'The value that is set. Null for a secret. The user and password of a URL are hidden.',
      }),
    ),
    is_secret: Type.Boolean(),
    hint: Nullable(
      Type.String({
        description:
          'The last four characters of a long secret that is set; null for a passphrase.',
      }),
    ),
    is_readable: Type.Boolean({
      description:
        'False for a stored value that was encrypted with another secret of the server; the default is used.',
    }),
    choices: Nullable(Type.Array(Type.String(), { description: 'The accepted values.' })),
    minimum: Nullable(Type.Integer({ description: 'The lowest number.' })),
    maximum: Nullable(Type.Integer({ description: 'The highest number.' })),
    version: Type.Integer({
      description: 'Counts the changes; a change names the one that it replaces.',
    }),
    changed_at: Nullable(Timestamp()),
    changed_by: Nullable(Type.String({ description: 'The email address of the admin.' })),
  },
  { $id: 'ServerSetting' },
)
export type ServerSetting = Static<typeof ServerSetting>

export const ServerSettings = Type.Object({ settings: Type.Array(ServerSetting) })
export type ServerSettings = Static<typeof ServerSettings>

const MAX_CHANGES = 50

export const ChangeServerSettings = Type.Object({
  changes: Type.Array(
    Type.Object({
      name: Name(),
      value: Nullable(NewValue, { trim: true, description: 'Null restores the default.' }),
      version: Type.Integer({
        minimum: 0,
        description: 'The `version` that the caller has read.',
        examples: [0],
      }),
    }),
    { minItems: 1, maxItems: MAX_CHANGES, description: 'Applied together, or not at all.' },
  ),
})
export type ChangeServerSettings = Static<typeof ChangeServerSettings>

export const TestServerSettings = Type.Object({
  group: OneOf(TESTED_GROUPS),
  values: Type.Optional(
    Type.Array(Type.Object({ name: Name(), value: Nullable(NewValue, { trim: true }) }), {
      maxItems: MAX_CHANGES,
      description: 'Values that are tested instead of those that are set.',
    }),
  ),
})
export type TestServerSettings = Static<typeof TestServerSettings>

const SettingTest = Type.Object({
  target: Type.String({ description: 'What was tested.', examples: ['ollama'] }),
  ok: Type.Boolean(),
  message: Type.String({ description: 'The result, or the reason of a failure.' }),
})
export type SettingTest = Static<typeof SettingTest>

export const ServerSettingTests = Type.Object({ tests: Type.Array(SettingTest) })
export type ServerSettingTests = Static<typeof ServerSettingTests>

const tag = 'Admin'

export const listServerSettings = endpoint({
  name: 'listServerSettings',
  method: 'GET',
  path: '/api/admin/settings',
  tag,
  summary: 'List the settings that can change while the server runs',
  credential: 'bearer',
  adminOnly: true,
  success: [200, ServerSettings],
})

export const changeServerSettings = endpoint({
  name: 'changeServerSettings',
  method: 'PATCH',
  path: '/api/admin/settings',
  tag,
  summary: 'Change settings of the server, without a restart',
  credential: 'jwt',
  adminOnly: true,
  body: ChangeServerSettings,
  success: [200, ServerSettings],
  affects: ['listServerSettings', 'adminConfiguration', 'adminAuditLog'],
  errors: {
    403: ['admin_revoked'],
    404: ['setting_unknown'],
    409: ['setting_changed', 'setting_fixed'],
  },
})

export const testServerSettings = endpoint({
  name: 'testServerSettings',
  method: 'POST',
  path: '/api/admin/settings/test',
  tag,
  summary: 'Try settings before they are stored',
  credential: 'jwt',
  adminOnly: true,
  body: TestServerSettings,
  success: [200, ServerSettingTests],
  errors: { 404: ['setting_unknown'], 409: ['setting_fixed'] },
})
