import type { Mail } from '../../platform/mail/mailer.ts'
import { writeLetter } from '../../platform/mail/template.ts'

export interface Invitation {
  to: string
  /** What the organization is called. */
  orgName: string
  /** Who invites, by name and address. */
  inviter: string
  url: string
}

export const invitationLetter = ({ to, orgName, inviter, url }: Invitation): Mail =>
  writeLetter({
    to,
    subject: `Invitation to join ${orgName}`,
    paragraphs: [
      'Hello,',
      `${inviter} invites you to join the organization “${orgName}”, whose members share what they remember.`,
    ],
    link: { label: 'See the invitation', url },
    footer:
      'The link works once, for 7 days, and only for this address. If you do not know who sent it, ignore this mail: nothing happens without you.',
  })
