import { isValidElement, lazy, type ReactNode, Suspense } from 'react'
import ReactMarkdown from 'react-markdown'
import rehypeSanitize from 'rehype-sanitize'
import remarkGfm from 'remark-gfm'
import remarkMath from 'remark-math'
import { CodeBlock } from './code-block.tsx'
import { withFormulas } from './formulas.ts'

const Formula = lazy(() => import('./formula.tsx'))
const HighlightedCode = lazy(() => import('./highlighted-code.tsx'))

const FORMULA = 'math'
/** In characters. A longer program is not highlighted: that would take longer than a frame. */
const MAX_HIGHLIGHTED = 20_000

/**
 * Markdown as elements. Raw HTML stays text, and addresses with other protocols than http, https and
 * mailto are removed. Images of other origins would be blocked, so each is shown as a link. Until the
 * renderer of formulas or that of code is loaded, their source is shown.
 */
const Markdown = ({ text }: { text: string }) => (
  <div className="markdown" dir="auto">
    <ReactMarkdown
      remarkPlugins={[remarkGfm, [remarkMath, { singleDollarTextMath: false }]]}
      rehypePlugins={[htmlAsText, rehypeSanitize]}
      components={{
        // The page has the heading of the first level.
        h1: 'h2',
        h2: 'h3',
        h3: 'h4',
        h4: 'h5',
        h5: 'h6',
        pre: ({ children }) => <Block>{children}</Block>,
        code: ({ className, children }) =>
          languageOf(className) === FORMULA ? (
            <Suspense fallback={<code>{children}</code>}>
              <Formula source={String(children)} />
            </Suspense>
          ) : (
            <code>{children}</code>
          ),
        a: ({ href, children }) => (
          <a href={href} target="_blank" rel="noreferrer noopener">
            {children}
          </a>
        ),
        img: ({ src, alt }) => (
          <a
            href={typeof src === 'string' ? src : undefined}
            target="_blank"
            rel="noreferrer noopener"
          >
            {alt || src?.toString()}
          </a>
        ),
      }}
    >
      {withFormulas(text)}
    </ReactMarkdown>
  </div>
)

interface MarkdownNode {
  type: string
  children?: MarkdownNode[]
}

/** The sanitation would drop HTML, and the reader would miss what the text says. */
const htmlAsText = () => (node: MarkdownNode) => {
  if (node.type === 'raw') node.type = 'text'
  for (const child of node.children ?? []) htmlAsText()(child)
}

const languageOf = (className: string | undefined): string | undefined =>
  className?.startsWith('language-') ? className.slice('language-'.length) : undefined

/** A formula in lines of its own, or a program. */
const Block = ({ children: code }: { children?: ReactNode }) => {
  if (!isValidElement<{ className?: string; children?: ReactNode }>(code))
    return <CodeBlock source={String(code)} />
  const language = languageOf(code.props.className)
  const source = String(code.props.children)
  const plain = <CodeBlock source={source} />
  if (!language || source.length > MAX_HIGHLIGHTED) return plain
  return (
    <Suspense fallback={plain}>
      {language === FORMULA ? (
        <Formula source={source} isBlock />
      ) : (
        <CodeBlock source={source}>
          <HighlightedCode source={source} language={language} />
        </CodeBlock>
      )}
    </Suspense>
  )
}

/** The default export is for `lazy`: the renderer is loaded with the first message. */
export default Markdown
