import { isUtf8 } from 'node:buffer'
import sniffEncoding from 'html-encoding-sniffer'

/**
 * Decodes text like a browser: by the byte order mark, the charset of the Content-Type or the `<meta>`
 * element (HTML Standard, "determining the character encoding"), otherwise as UTF-8 or Windows-1252.
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
    // A few encoding labels, such as `replacement`, have no decoder.
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
