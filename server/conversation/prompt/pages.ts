/** No more addresses than this are read for one message. */
const MAX_URLS = 3

/** The addresses of pages in a text, each once. */
export const urlsIn = (text: string): string[] => {
  const found = text.match(/https?:\/\/[^\s<>"'`\\^{|}]+/gi) ?? []
  return [...new Set(found.map(trimmed).filter((url) => URL.canParse(url)))].slice(0, MAX_URLS)
}

/** Without what ends the sentence around it, and a bracket that was opened before it. */
const trimmed = (url: string): string => {
  const end = url.replace(/[.,;:!?*_~»”’)\]]+$/, '')
  return /\([^)]*$/.test(end) && url[end.length] === ')' ? `${end})` : end
}
