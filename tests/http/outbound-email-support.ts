import { startMailbox } from '../harness/mail.ts'
import { request, type TestServer, type TestUser } from '../harness/server.ts'

type Where = Pick<TestServer, 'url'>

export const sendEmail = (server: Where, user: Pick<TestUser, 'key'>, body: unknown) =>
  request(server, 'POST', '/api/email/send', { token: user.key, body })

export const threadsOf = async (server: Where, user: Pick<TestUser, 'key'>) => {
  const { body } = await request(server, 'GET', '/api/email/threads', { token: user.key })
  return body.threads
}

export const threadOf = async (server: Where, user: Pick<TestUser, 'key'>, threadId?: string) => {
  const id = threadId ?? (await threadsOf(server, user))[0].thread_id
  const { body } = await request(server, 'GET', `/api/email/threads/${id}`, { token: user.key })
  return body
}

/** Looks again until nothing of the newest thread waits: a mail is noted as sent after it has arrived. */
export const settled = async (server: Where, user: Pick<TestUser, 'key'>, threadId?: string) => {
  for (;;) {
    const thread = await threadOf(server, user, threadId)
    if (!thread.queued) return thread
    await Bun.sleep(20)
  }
}

/** New addresses at one domain. */
export const addresses = (count: number): string[] => {
  const domain = `${crypto.randomUUID()}.example.com`
  return Array.from({ length: count }, (_, i) => `reader-${i}@${domain}`)
}

/**
 * A mail server that keeps some who send waiting for its answer, and refuses others.
 * `waiting` resolves once `count` of them do.
 */
export const startHoldingMailbox = async (
  isHeld: (address: string) => boolean,
  count: number,
  isRefused: (address: string) => boolean = () => false,
) => {
  const reached = Promise.withResolvers<void>()
  const held: (() => void)[] = []
  let isOpen = false
  const mailbox = await startMailbox(0, {
    onRcptTo: ({ address }, _session, done) => {
      if (isRefused(address)) return done(Object.assign(new Error('No'), { responseCode: 550 }))
      if (isOpen || !isHeld(address)) return done()
      held.push(done)
      if (held.length >= count) reached.resolve()
    },
  })
  return {
    ...mailbox,
    waiting: reached.promise,
    /** Answers all that wait, and holds nobody any more. */
    release() {
      isOpen = true
      for (const done of held.splice(0)) done()
    },
  }
}
