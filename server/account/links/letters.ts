import type { Mail } from '../../platform/mail/mailer.ts'
import { writeLetter } from '../../platform/mail/template.ts'

/** Asks the reader of `to` to confirm that the address is theirs. */
export const verificationLetter = (to: string, url: string): Mail =>
  writeLetter({
    to,
    subject: 'Confirm your email address',
    paragraphs: [
      'Hello,',
      `please confirm that ${to} is your address, so that nobody else can use it here.`,
    ],
    link: { label: 'Confirm this address', url },
    footer:
      'The link works once, for 24 hours. If you did not create an account, ignore this mail: without you the address stays unconfirmed.',
  })

export const resetLetter = (to: string, url: string): Mail =>
  writeLetter({
    to,
    subject: 'Reset your password',
    paragraphs: ['Hello,', 'somebody asked to reset the password of your account. Was it you?'],
    link: { label: 'Choose a new password', url },
    footer:
      'The link works once, for one hour. If you did not ask for it, ignore this mail: your password stays as it is.',
  })

/** Tells the owner of an account that its password is another one now. `url` is where to reset it. */
export const passwordChangedLetter = (
  to: string,
  { at, ip, url }: { at: Date; ip: string; url: string },
): Mail =>
  writeLetter({
    to,
    subject: 'Your password was changed',
    paragraphs: [
      'Hello,',
      `the password of your account was changed on ${at.toISOString().slice(0, 16).replace('T', ' at ')} UTC, from the address ${ip}.`,
      'If it was you, there is nothing to do. If it was not, choose a new password at once, and revoke the API keys that you do not know.',
    ],
    link: { label: 'Reset the password', url },
  })
