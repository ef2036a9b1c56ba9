import { createSocket, type RemoteInfo } from 'node:dgram'
import { createServer } from 'node:net'
import {
  type Answer,
  AUTHORITATIVE_ANSWER,
  decode,
  encode,
  streamEncode,
  TRUNCATED_RESPONSE,
} from 'dns-packet'

/** RFC 1035, section 4.1.1. */
const RCODES = { NOERROR: 0, SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 } as const

interface DnsReply {
  answers?: Answer[]
  rcode?: keyof typeof RCODES
  /** Sends this in place of a response. */
  bytes?: Buffer
}

/** Returns the reply to a question for the text records of a name; undefined: none, ever. */
type Respond = (name: string) => DnsReply | undefined

/** A name server over UDP and TCP. */
export interface DnsServer extends AsyncDisposable {
  /** A value for `nameServers`. */
  address: string
  /** Every name that was looked up, in order. */
  questions: string[]
  /** Sets the text records of a name. */
  setText(name: string, ...records: string[]): void
  /** Replaces the reply for a name. */
  respond(name: string, respond: Respond | undefined): void
}

/** RFC 1035, section 4.2.1. */
const UDP_BYTES = 512

export const textAnswer = (name: string, text: string): Answer => ({
  name,
  type: 'TXT',
  ttl: 0,
  // A string of a record has 255 bytes at most.
  data: text.match(/.{1,255}/gs) ?? [''],
})

export const startDns = async (): Promise<DnsServer> => {
  const texts = new Map<string, string[]>()
  const special = new Map<string, Respond>()
  const questions: string[] = []

  const replyTo = (name: string): DnsReply | undefined => {
    const respond = special.get(name)
    if (respond) return respond(name)
    const records = texts.get(name)
    return records
      ? { answers: records.map((text) => textAnswer(name, text)) }
      : { rcode: 'NXDOMAIN' }
  }

  const packetFor = (message: Buffer) => {
    const { id, questions: asked } = decode(message)
    const name = asked?.[0]?.name.toLowerCase() ?? ''
    questions.push(name)
    const reply = replyTo(name)
    if (!reply) return undefined
    const flags = AUTHORITATIVE_ANSWER | RCODES[reply.rcode ?? 'NOERROR']
    return {
      bytes: reply.bytes,
      packet: {
        type: 'response',
        id,
        flags,
        questions: asked,
        answers: reply.answers ?? [],
      } as const,
    }
  }

  const udp = createSocket('udp4')
  udp.on('message', (message: Buffer, { port, address }: RemoteInfo) => {
    const reply = packetFor(message)
    if (!reply) return
    const whole = reply.bytes ?? encode(reply.packet)
    const { flags } = reply.packet
    const sent =
      whole.length > UDP_BYTES && !reply.bytes
        ? encode({ ...reply.packet, answers: [], flags: flags | TRUNCATED_RESPONSE })
        : whole
    udp.send(sent, port, address)
  })
  await new Promise<void>((resolve) => udp.bind(0, '127.0.0.1', resolve))
  const { port } = udp.address()

  const tcp = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', (data: Buffer) => {
      const reply = packetFor(data.subarray(2))
      if (reply) socket.end(streamEncode(reply.packet))
    })
  })
  await new Promise<void>((resolve) => tcp.listen(port, '127.0.0.1', resolve))

  return {
    address: `127.0.0.1:${port}`,
    questions,
    setText: (name, ...records) => void texts.set(name, records),
    respond: (name, respond) => void (respond ? special.set(name, respond) : special.delete(name)),
    async [Symbol.asyncDispose]() {
      udp.close()
      tcp.close()
    },
  }
}
