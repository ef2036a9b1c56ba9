import { type Static, Type } from '@sinclair/typebox'
import { Nullable, OneOf, Timestamp } from './common.ts'
import { endpoint } from './endpoint.ts'

/** A key that signs access tokens. Its private part leaves the server in no response. */
export const SigningKey = Type.Object(
  {
    kid: Type.String({
      description: 'The `kid` of its tokens and of the key set.',
      examples: ['kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k'],
    }),
    state: OneOf(['next', 'signing', 'verifying', 'retired'], {
      description:
        '`next`: published, and signs soon. `signing`: signs new tokens. `verifying`: its tokens are valid until they expire. `retired`: its tokens have ended.',
    }),
    published_at: Timestamp(),
    signs_from: Timestamp(),
    signs_until: Nullable(Timestamp({ description: 'Null for the newest key.' })),
    verifies_until: Nullable(
      Timestamp({ description: 'When its last token has expired; null for the newest key.' }),
    ),
  },
  { $id: 'SigningKey' },
)
export type SigningKey = Static<typeof SigningKey>

export const SigningKeys = Type.Object({ keys: Type.Array(SigningKey) })
export type SigningKeys = Static<typeof SigningKeys>

export const RotateSigningKeys = Type.Object({
  now: Type.Optional(
    Type.Boolean({
      description:
        'For a key that leaked: sign with the new key at once, and end the others with their tokens. Clients refresh their access tokens; sessions continue.',
    }),
  ),
  reason: Type.Optional(
    Nullable(
      Type.String({
        minLength: 1,
        maxLength: 500,
        trim: true,
        description: 'The reason, for the audit log.',
        examples: ['Yearly rotation.'],
      }),
      { trim: true },
    ),
  ),
})
export type RotateSigningKeys = Static<typeof RotateSigningKeys>

const tag = 'Admin'

export const listSigningKeys = endpoint({
  name: 'listSigningKeys',
  method: 'GET',
  path: '/api/admin/signing-keys',
  tag,
  summary: 'List the keys that sign access tokens, the newest first; retired ones for 90 days',
  credential: 'bearer',
  adminOnly: true,
  success: [200, SigningKeys],
})

export const rotateSigningKeys = endpoint({
  name: 'rotateSigningKeys',
  method: 'POST',
  path: '/api/admin/signing-keys/rotate',
  tag,
  summary: 'Publish the next key that signs access tokens; it signs ten minutes later',
  credential: 'jwt',
  adminOnly: true,
  body: RotateSigningKeys,
  success: [200, SigningKeys],
  affects: ['listSigningKeys', 'adminAuditLog'],
  errors: { 409: ['rotation_in_progress'] },
})
