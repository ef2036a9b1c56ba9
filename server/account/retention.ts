import { defineRetention } from '../platform/retention.ts'
import { deleteOldDeviceLogins } from './access/device/store.ts'
import { deleteIdleClients } from './access/oauth-server/client-store.ts'
import { deleteOldCodes } from './access/oauth-server/store.ts'
import { signingKeyRetention } from './access/signing-keys/service.ts'
import { deleteIdleGuards } from './sign-in/guard/store.ts'
import { deleteOldHandoffs } from './sign-in/handoff/store.ts'
import { deleteOldMailedCodes } from './sign-in/mailed-codes/store.ts'
import { deleteOldLogoutTokens } from './sign-in/oauth/provider-session-store.ts'
import { deleteOldStates } from './sign-in/oauth/store.ts'
import { deleteOldPasskeyChallenges } from './sign-in/passkeys/store.ts'

export const accountRetention = [
  defineRetention({ name: 'sign_in_guards', run: ({ db }) => deleteIdleGuards(db) }),
  defineRetention({ name: 'mailed_codes', run: ({ db }) => deleteOldMailedCodes(db) }),
  defineRetention({ name: 'handoffs', run: ({ db }) => deleteOldHandoffs(db) }),
  defineRetention({ name: 'device_logins', run: ({ db }) => deleteOldDeviceLogins(db) }),
  signingKeyRetention,
  defineRetention({ name: 'oauth_clients', run: ({ db }) => deleteIdleClients(db) }),
  defineRetention({ name: 'oauth_codes', run: ({ db }) => deleteOldCodes(db) }),
  defineRetention({ name: 'used_oauth_states', run: ({ db }) => deleteOldStates(db) }),
  defineRetention({ name: 'used_logout_tokens', run: ({ db }) => deleteOldLogoutTokens(db) }),
  defineRetention({
    name: 'used_passkey_challenges',
    run: ({ db }) => deleteOldPasskeyChallenges(db),
  }),
]
