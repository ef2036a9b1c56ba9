import type { Account } from '../account/account.ts'
import { type Hear, hearDirectMessages } from '../automation/triggers/message.ts'
import type { Billing } from '../billing/billing.ts'
import type { Conversation } from '../conversation/conversation.ts'
import type { Memory } from '../memory/memory.ts'
import type { Mailer } from '../platform/mail/mailer.ts'
import type { Models } from '../platform/models/types.ts'
import type { Surroundings } from '../surroundings.ts'
import { startAnswers } from './dm/answers.ts'
import { createDirectMessageService } from './dm/service.ts'
import type { EmailSendingService } from './email/service.ts'
import { createInviteService } from './orgs/invites.ts'
import { createOrgMemberService } from './orgs/members.ts'
import { createOrgService } from './orgs/service.ts'
import { createInviteTokens } from './orgs/token.ts'
import { createShareService } from './shares/service.ts'

export type People = Awaited<ReturnType<typeof startPeople>>

/** Starts what people do together: organizations, messages, mail and shares. */
export const startPeople = async (
  { config, baseUrl, database, jobs, limits, authSecret }: Surroundings,
  {
    mailer,
    account,
    billing: { usage },
    memory,
    conversation: { prompts, sessions },
    models,
    emails,
    hear,
  }: {
    mailer: Mailer
    account: Pick<Account, 'emails' | 'audit' | 'keys' | 'authorization'>
    billing: Pick<Billing, 'usage'>
    memory: Pick<Memory, 'erase'>
    conversation: Pick<Conversation, 'prompts' | 'sessions'>
    models: Models
    emails: EmailSendingService
    hear: Hear
  },
) => {
  const { seatsOf } = config.tiers
  const answers = await startAnswers({ database, jobs, prompts, models, usage })
  return {
    orgs: createOrgService(database, { seatsOf, erasers: [memory.erase], accounts: account }),
    orgMembers: createOrgMemberService(database, account),
    invites: createInviteService({
      database,
      mailer,
      limits,
      emails: account.emails,
      audit: account.audit,
      tokens: createInviteTokens(authSecret),
      seatsOf,
      baseUrl,
    }),
    /** What people mail to others. */
    emails,
    /** What the service says where it is asked in a thread. */
    answers,
    messages: createDirectMessageService(database, answers, limits, {
      baseUrl,
      received: hearDirectMessages(hear),
    }),
    shares: createShareService(database, sessions, { baseUrl }),
  }
}
