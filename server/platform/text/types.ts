/** The bytes of a file or page. */
export interface DocumentSource {
  bytes: Uint8Array
  contentType: string | undefined
  /** The fallback title. */
  name: string
}

export interface Document {
  title: string
  /** Cut off at a maximum length. */
  text: string
  excerpt: string
  wordCount: number
  /** SHA-256 of the text, in hex. */
  hash: string
}

/** A document whose text cannot be read; the message may be shown to the user. */
export class Unreadable extends Error {
  override name = 'Unreadable'
}
