import { getDocumentProxy } from 'unpdf'
import { budgets } from '../budgets.ts'

interface PdfText {
  /** Empty when the file has none. */
  title: string
  text: string
}

/**
 * Reads the text of a PDF page by page up to `maxChars`, so that only one page is in memory.
 * @throws RangeError when there is too little memory, another error when the file is not a PDF or needs a
 * password.
 */
export const readPdf = (bytes: Uint8Array, maxChars: number): Promise<PdfText> =>
  readPages(bytes, maxChars).catch((error) => {
    // PDF.js replaces the errors of its parser by its own and keeps their text.
    if (String(error.details).startsWith('RangeError')) throw new RangeError(error.details)
    throw error
  })

const readPages = async (bytes: Uint8Array, maxChars: number): Promise<PdfText> => {
  const document = await getDocumentProxy(bytes, {
    verbosity: 0,
    // Only text is needed, so fonts and images are skipped.
    disableFontFace: true,
    useSystemFonts: false,
    maxImageSize: 1,
    stopAtErrors: false,
  })
  const { info } = await document.getMetadata()
  const { Title } = info as { Title?: unknown }
  const deadline = performance.now() + budgets.pdf.ms
  const pages: string[] = []
  let left = maxChars
  for (let number = 1; number <= document.numPages && left > 0; number++) {
    if (performance.now() > deadline) break
    const text = await readPage(document, number, left, deadline)
    pages.push(text)
    left -= text.length
  }
  return { title: typeof Title === 'string' ? Title.trim() : '', text: pages.join('\n\n') }
}

type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>

/** Reads a page as a stream, which ends early when there is enough text. */
const readPage = async (
  document: PdfDocument,
  number: number,
  maxChars: number,
  deadline: number,
) => {
  const page = await document.getPage(number)
  const reader = page.streamTextContent().getReader()
  let text = ''
  while (text.length < maxChars && performance.now() < deadline) {
    const { done, value } = await reader.read()
    if (done) break
    for (const item of value.items)
      if ('str' in item) text += item.hasEOL ? `${item.str}\n` : item.str
  }
  await reader.cancel().catch(() => {})
  page.cleanup()
  return text
}
