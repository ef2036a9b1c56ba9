import {
  authLimit,
  DAY_SECONDS,
  defineLimit,
  HOUR_SECONDS,
  MINUTE_SECONDS,
} from '../platform/http/limits.ts'

const deviceCodes = {
  points: 5,
  windowSeconds: 10 * MINUTE_SECONDS,
  exceeded: 'Too many wrong device codes',
}
const emailLinks = { points: 20, windowSeconds: HOUR_SECONDS, exceeded: 'Too many links mailed' }

export const deviceCodesPerUser = defineLimit({
  ...deviceCodes,
  name: 'device_codes_per_user',
  per: 'user',
})
export const deviceCodesPerAddress = defineLimit({
  ...deviceCodes,
  name: 'device_codes_per_address',
  per: 'address',
})
export const deviceLoginLimit = defineLimit({
  name: 'device_logins',
  per: 'address',
  points: 60,
  windowSeconds: HOUR_SECONDS,
  exceeded: 'Too many device logins started',
})
/** Wrong passwords where a signed-in user confirms a change with the password. */
export const passwordCheckLimit = defineLimit({
  name: 'password_checks',
  per: 'user',
  points: 10,
  windowSeconds: 15 * MINUTE_SECONDS,
  exceeded: 'Too many wrong passwords',
})
/** Keeps a client from filling a mailbox with verification and reset links. */
export const emailLinkLimit = defineLimit({ ...emailLinks, name: 'email_links', per: 'user' })
/** Invitations of one organization to one email address. */
export const invitesPerRecipient = defineLimit({
  ...emailLinks,
  name: 'invites_per_recipient',
  per: 'text',
})
export const invitesPerUser = defineLimit({
  name: 'invites_per_user',
  per: 'user',
  points: 100,
  windowSeconds: HOUR_SECONDS,
  exceeded: 'Too many invites sent',
})
export const clientRegistrationLimit = defineLimit({
  name: 'client_registrations',
  per: 'address',
  points: 60,
  windowSeconds: HOUR_SECONDS,
  exceeded: 'Too many clients registered',
})
export const authorizedAppLimit = defineLimit({
  name: 'authorized_apps',
  per: 'user',
  points: 100,
  windowSeconds: DAY_SECONDS,
  exceeded: 'Daily limit of authorized apps reached',
})
/** Client ID Metadata Documents that are fetched for a user. */
export const clientDocumentLimit = defineLimit({
  name: 'client_documents',
  per: 'user',
  points: 30,
  windowSeconds: MINUTE_SECONDS,
  exceeded: 'Too many client documents read',
})

export const accountLimits = [
  authLimit,
  deviceCodesPerUser,
  deviceCodesPerAddress,
  deviceLoginLimit,
  passwordCheckLimit,
  emailLinkLimit,
  invitesPerRecipient,
  invitesPerUser,
  clientRegistrationLimit,
  authorizedAppLimit,
  clientDocumentLimit,
]
