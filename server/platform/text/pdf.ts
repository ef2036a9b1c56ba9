import { extractText, getDocumentProxy } from 'unpdf'

export interface PdfText {
  /** Empty when the file does not say. */
  title: string
  text: string
}

/**
 * The text of a PDF, pages one after the other. It takes processor time: call it off the main thread.
 * @throws when the bytes are no PDF, or one that asks for a password.
 */
export const readPdf = async (bytes: Uint8Array): Promise<PdfText> => {
  // A copy, because the parser takes the buffer away.
  const document = await getDocumentProxy(bytes.slice(), {
    verbosity: 0,
  })
  const { info } = await document.getMetadata()
  const { text } = await extractText(document, { mergePages: false })
  const { Title } = info as { Title?: unknown }
  return { title: typeof Title === 'string' ? Title.trim() : '', text: text.join('\n\n') }
}
