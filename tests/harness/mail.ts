import { text as readAll } from 'node:stream/consumers'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import {
  endFile,
  newUser,
  once,
  request,
  startServer,
  type TestServer,
  type TestUser,
  useStarted,
} from './server.ts'

export interface ReceivedMail {
  /** The envelope: its recipients may differ from the headers. */
  from: string
  to: string[]
  headers: Map<string, string>
  subject: string
  text: string
  html: string
}

/** A mail server that keeps what it receives. */
export interface Mailbox extends AsyncDisposable {
  /** A value for `SVC_SMTP_URL`. */
  url: string
  port: number
  /** Every received email, in order. */
  mails: ReceivedMail[]
  /** The number of connections so far. */
  connections(): number
  /** Closes every idle connection, as mail servers do after a timeout. */
  hangUp(): void
  /** The next email to an address with this in its subject that was not returned yet: now or on arrival. */
  next(to: string, subject?: string): Promise<ReceivedMail>
}

interface Hooks extends Partial<SMTPServerOptions> {
  /** Called with a completely received email before it is accepted. @returns the reason for refusing it. */
  judge?(to: string | undefined, mail: ReceivedMail): Error | undefined | Promise<Error | undefined>
}

/** `hooks` simulate faulty mail servers. */
export const startMailbox = async (port = 0, { judge, ...hooks }: Hooks = {}): Promise<Mailbox> => {
  const mails: ReceivedMail[] = []
  const returned = new Set<ReceivedMail>()
  let waiting: (() => boolean)[] = []
  let connected = 0
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    hideSMTPUTF8: false,
    logger: false,
    onConnect(_session, done) {
      connected++
      done()
    },
    async onData(stream, session, done) {
      const { mailFrom, rcptTo } = session.envelope
      const to = rcptTo.map(({ address }) => address)
      const source = await readAll(stream).catch(() => undefined)
      // A client that was killed within an email has sent none.
      if (source === undefined) return done(new Error('cut off'))
      const mail = { from: mailFrom ? mailFrom.address : '', to, ...parseMail(source) }
      const refusal = await judge?.(to[0], mail)
      if (refusal) return done(refusal)
      mails.push(mail)
      done()
      waiting = waiting.filter((give) => !give())
    },
    ...hooks,
  })
  // A killed client leaves its connection open in the middle of a command.
  server.on('error', () => {})
  const listening = Promise.withResolvers<void>()
  const listener = server.listen(port, '127.0.0.1', listening.resolve)
  await listening.promise
  const address = listener.address()
  const used = typeof address === 'object' && address ? address.port : port

  return {
    url: `smtp://127.0.0.1:${used}`,
    port: used,
    mails,
    connections: () => connected,
    hangUp() {
      // A connection that has not greeted has no session yet.
      for (const connection of server.connections)
        if (!connection.session?.envelope?.mailFrom) connection.close()
    },
    next(to, subject = '') {
      const { promise, resolve } = Promise.withResolvers<ReceivedMail>()
      const give = () => {
        const mail = mails.find(
          (each) => !returned.has(each) && each.to.includes(to) && each.subject.includes(subject),
        )
        if (!mail) return false
        returned.add(mail)
        resolve(mail)
        return true
      }
      if (!give()) waiting.push(give)
      return promise
    },
    async [Symbol.asyncDispose]() {
      const closed = Promise.withResolvers<void>()
      server.close(closed.resolve)
      await closed.promise
    },
  }
}

interface ServerWithMail {
  readonly server: TestServer
  readonly mailbox: Mailbox
}

const startWithMail = async (): Promise<ServerWithMail> => {
  const mailbox = await startMailbox()
  return { mailbox, server: await startServer({ SVC_SMTP_URL: mailbox.url }) }
}

/** One server for all tests of a file, and the mail server that it sends through. */
export const useServerWithMail = (): ServerWithMail =>
  partsOf(
    useStarted(startWithMail, async ({ server, mailbox }) => {
      await server.stop()
      await mailbox[Symbol.asyncDispose]()
    }),
  )

const sharedWithMail = once(startWithMail)

/** The same for all files of a process that call this: see `useSharedServer`. */
export const useSharedServerWithMail = (): ServerWithMail =>
  partsOf(useStarted(sharedWithMail, ({ server }) => endFile(server)))

const partsOf = (opened: { readonly current: ServerWithMail }): ServerWithMail => ({
  get server() {
    return opened.current.server
  },
  get mailbox() {
    return opened.current.mailbox
  },
})

/** Signs up a user and opens the emailed link, on a server that sends through `mailbox`. */
export const newMailedUser = async (
  server: Pick<TestServer, 'url'>,
  mailbox: Mailbox,
): Promise<TestUser> => {
  const user = await newUser(server)
  const body = { token: tokenIn(await mailbox.next(user.email, 'Confirm')) }
  const { status } = await request(server, 'POST', '/api/auth/verify-email', { body })
  if (status !== 200) throw new Error(`the address was not verified: ${status}`)
  return user
}

/** The URL of the link in an email; the same in its text and in its HTML. */
export const linkIn = ({ text, html }: Pick<ReceivedMail, 'text' | 'html'>): URL => {
  const url = /https?:\/\/\S+\?(?:token|code)=\S+/.exec(text)?.[0] ?? ''
  if (!html.includes(`href="${url}"`)) throw new Error('the HTML has another link')
  return new URL(url)
}

export const tokenIn = (mail: Pick<ReceivedMail, 'text' | 'html'>): string =>
  linkIn(mail).searchParams.get('token') ?? ''

/** Reads a message with two alternatives (RFC 2046) as a mail client does. */
export const parseMail = (source: string) => {
  const { headers, body } = split(source)
  const boundary = /boundary="([^"]+)"/.exec(headers.get('content-type') ?? '')?.[1]
  const parts = body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => split(part.trimStart()))
  const alternative = (type: string) => {
    const part = parts.find((each) => each.headers.get('content-type')?.startsWith(type))
    return part ? decode(part.body, part.headers.get('content-transfer-encoding')) : ''
  }
  return {
    headers,
    subject: headers.get('subject') ?? '',
    text: alternative('text/plain'),
    html: alternative('text/html'),
  }
}

const split = (source: string) => {
  const [head = '', ...rest] = source.split('\r\n\r\n')
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
  return { headers, body: rest.join('\r\n\r\n') }
}

const decode = (body: string, encoding = '7bit'): string => {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8')
  if (encoding !== 'quoted-printable') return body
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
