import { eventually } from '../harness/eventually.ts'
import { startMailbox } from '../harness/mail.ts'
import { request, type TestServer, type TestUser } from '../harness/server.ts'

type Server = Pick<TestServer, 'url'>

export const sendEmail = (server: Server, user: Pick<TestUser, 'key'>, body: unknown) =>
  request(server, 'POST', '/api/email/send', { token: user.key, body })

export const threadsOf = async (server: Server, user: Pick<TestUser, 'key'>) => {
  const { body } = await request(server, 'GET', '/api/email/threads', { token: user.key })
  return body.threads
}

export const threadOf = async (server: Server, user: Pick<TestUser, 'key'>, threadId?: string) => {
  const id = threadId ?? (await threadsOf(server, user))[0].thread_id
  const { body } = await request(server, 'GET', `/api/email/threads/${id}`, { token: user.key })
  return body
}

/** The thread once it has no queued email: the state follows the delivery. */
export const settled = (server: Server, user: Pick<TestUser, 'key'>, threadId?: string) =>
  eventually(async () => {
    const thread = await threadOf(server, user, threadId)
    return !thread.queued && thread
  })

/** Unused addresses at one domain. */
export const addresses = (count: number): string[] => {
  const domain = `${crypto.randomUUID()}.example.com`
  return Array.from({ length: count }, (_, i) => `reader-${i}@${domain}`)
}

/**
 * A mail server that delays its reply for some recipients and rejects others. `waiting` resolves once
 * `count` replies are delayed.
 */
export const startDelayingMailbox = async (
  isDelayed: (address: string) => boolean,
  count: number,
  isRejected: (address: string) => boolean = () => false,
) => {
  const reached = Promise.withResolvers<void>()
  const delayed: (() => void)[] = []
  let isOpen = false
  const mailbox = await startMailbox(0, {
    onRcptTo: ({ address }, _session, done) => {
      if (isRejected(address)) return done(Object.assign(new Error('No'), { responseCode: 550 }))
      if (isOpen || !isDelayed(address)) return done()
      delayed.push(done)
      if (delayed.length >= count) reached.resolve()
    },
  })
  return {
    ...mailbox,
    waiting: reached.promise,
    /** Sends the delayed replies and delays no more. */
    release() {
      isOpen = true
      for (const done of delayed.splice(0)) done()
    },
  }
}
