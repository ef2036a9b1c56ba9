import { escapeHtml, type Html, rawHtml } from '../../../platform/http/html.ts'

const SAFE_LINK = /^(?:https?:|mailto:)/i

/** Another address, such as `javascript:`, stays text. */
const linkTo = (address: string, text: string): string =>
  SAFE_LINK.test(address)
    ? `<a href="${escapeHtml(address)}" rel="nofollow noreferrer">${text}</a>`
    : text

/**
 * The elements of GitHub Flavored Markdown. Their children are escaped already: all text is.
 * @param nest for elements that contain others of their kind.
 */
const elements = (nest: (source: string) => string): Bun.markdown.RenderCallbacks => ({
  text: escapeHtml,
  paragraph: (children) => `<p>${children}</p>`,
  // The page and the message have the first two levels.
  heading: (children, { level }) =>
    `<h${Math.min(level + 2, 6)}>${children}</h${Math.min(level + 2, 6)}>`,
  blockquote: (children) => nest(`<blockquote>${children}</blockquote>`),
  list: (children, { ordered, start }) =>
    nest(ordered ? `<ol start="${start ?? 1}">${children}</ol>` : `<ul>${children}</ul>`),
  listItem: (children, meta) =>
    nest(`<li>${meta?.checked === undefined ? '' : meta.checked ? '☑ ' : '☐ '}${children}</li>`),
  code: (source) => `<pre tabindex="0"><code>${source.replace(/\n$/, '')}</code></pre>`,
  codespan: (source) => `<code>${source}</code>`,
  hr: () => '<hr>',
  strong: (children) => nest(`<strong>${children}</strong>`),
  emphasis: (children) => nest(`<em>${children}</em>`),
  strikethrough: (children) => nest(`<del>${children}</del>`),
  table: (children) => `<table>${children}</table>`,
  thead: (children) => `<thead>${children}</thead>`,
  tbody: (children) => `<tbody>${children}</tbody>`,
  tr: (children) => `<tr>${children}</tr>`,
  th: (children) => `<th>${children}</th>`,
  td: (children) => `<td>${children}</td>`,
  link: (children, { href }) => linkTo(href, children),
  // The page loads nothing from other hosts.
  image: (description, { src }) => linkTo(src, description || escapeHtml(src)),
})

/** Encloses the number of a nested element. */
const MARK = '\0'

/** Replaces the marks, however deep the elements are nested. */
const joinNested = (source: string, nested: readonly string[]): string => {
  const output: string[] = []
  const open = [{ pieces: source.split(MARK), next: 0 }]
  for (let inner = open.at(-1); inner; inner = open.at(-1)) {
    const piece = inner.pieces[inner.next++]
    if (piece === undefined) open.pop()
    else if (inner.next % 2 === 1) output.push(piece)
    else open.push({ pieces: (nested[Number(piece)] ?? '').split(MARK), next: 0 })
  }
  return output.join('')
}

/**
 * Renders the Markdown of a message. HTML in it is shown as text. Nested elements are joined at the end: if
 * each was copied into the next, a message of thousands of nested quotes would take many seconds.
 */
export const renderMessage = (text: string): Html => {
  const nested: string[] = []
  const nest = (source: string): string => `${MARK}${nested.push(source) - 1}${MARK}`
  // As CommonMark requires (2.3), but the parser does not in code.
  const safe = text.replaceAll(MARK, '\ufffd')
  const source = Bun.markdown.render(safe, elements(nest), {
    autolinks: true,
    noHtmlBlocks: true,
    noHtmlSpans: true,
  })
  return rawHtml(joinNested(source, nested))
}
