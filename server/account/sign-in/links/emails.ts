import type { Mail } from '../../../platform/mail/mailer.ts'
import { renderEmail } from '../../../platform/mail/template.ts'

export const verificationEmail = (to: string, url: string): Mail =>
  renderEmail({
    to,
    subject: 'Confirm your email address',
    paragraphs: ['Hello,', `please confirm that ${to} is your email address.`],
    link: { label: 'Confirm this address', url },
    footer:
      'The link works once and expires after 24 hours. If you did not create an account, ignore this email; the address stays unconfirmed.',
  })

export const resetEmail = (to: string, url: string): Mail =>
  renderEmail({
    to,
    subject: 'Reset your password',
    paragraphs: ['Hello,', 'we received a request to reset the password of your account.'],
    link: { label: 'Choose a new password', url },
    footer:
      'The link works once and expires after one hour. If you did not request it, ignore this email; your password does not change.',
  })

/** @param url the page that resets the password. */
export const passwordChangedEmail = (
  to: string,
  { at, ip, url }: { at: Date; ip: string; url: string },
): Mail =>
  renderEmail({
    to,
    subject: 'Your password was changed',
    paragraphs: [
      'Hello,',
      `the password of your account was changed on ${at.toISOString().slice(0, 16).replace('T', ' at ')} UTC, from the address ${ip}.`,
      'If you changed it, no action is needed. If you did not, reset the password now and revoke the API keys that you do not recognize.',
    ],
    link: { label: 'Reset the password', url },
  })
