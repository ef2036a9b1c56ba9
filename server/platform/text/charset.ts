import { isUtf8 } from 'node:buffer'
import sniffEncoding from 'html-encoding-sniffer'

/**
 * Decodes text as a browser would: by its byte order mark, by the charset of its Content-Type, by its
 * `<meta>` (HTML Standard, "determining the character encoding"), and else as UTF-8 or Windows-1252.
 */
export const decodeText = (bytes: Uint8Array, contentType = ''): string => {
  const declared = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1]
  const encoding = sniffEncoding(bytes, {
    ...(declared && { transportLayerEncodingLabel: declared }),
    defaultEncoding: isUtf8(bytes) ? 'UTF-8' : 'windows-1252',
  })
  try {
    return new TextDecoder(encoding as Bun.Encoding).decode(bytes)
  } catch {
    // The few names that stand for no encoding that can be read.
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
