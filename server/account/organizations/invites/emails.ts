import type { Mail } from '../../../platform/mail/mailer.ts'
import { renderEmail } from '../../../platform/mail/template.ts'

interface Invitation {
  to: string
  orgName: string
  /** Name and address of the user who invites. */
  inviter: string
  url: string
}

export const invitationEmail = ({ to, orgName, inviter, url }: Invitation): Mail =>
  renderEmail({
    to,
    subject: `Invitation to join ${orgName}`,
    paragraphs: [
      'Hello,',
      `${inviter} invites you to join the organization “${orgName}”, whose members share memories.`,
    ],
    link: { label: 'View the invitation', url },
    footer:
      'The link works once, for this address only, and expires after 7 days. If you do not know the sender, ignore this email; you do not join unless you accept.',
  })
