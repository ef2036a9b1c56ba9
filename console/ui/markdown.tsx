import ReactMarkdown from 'react-markdown'
import rehypeSanitize from 'rehype-sanitize'
import remarkGfm from 'remark-gfm'
import { CodeBlock } from './code-block.tsx'

/**
 * Markdown as elements. Raw HTML stays text, and addresses with other protocols than http, https and
 * mailto are removed. Images of other origins would be blocked, so each is shown as a link.
 */
const Markdown = ({ text }: { text: string }) => (
  <div className="markdown" dir="auto">
    <ReactMarkdown
      remarkPlugins={[remarkGfm]}
      rehypePlugins={[rehypeSanitize]}
      components={{
        // The page has the heading of the first level.
        h1: 'h2',
        h2: 'h3',
        h3: 'h4',
        h4: 'h5',
        h5: 'h6',
        pre: ({ children }) => <CodeBlock>{children}</CodeBlock>,
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
      {text}
    </ReactMarkdown>
  </div>
)

/** The default export is for `lazy`: the renderer is loaded with the first message. */
export default Markdown
