import type { ReactNode } from 'react'
import { CopyButton } from './copy.tsx'

interface CodeBlockProps {
  source: string
  /** The source with colors. */
  children?: ReactNode
}

/**
 * Code in Markdown, with a button that copies it. A region that scrolls must be reachable by keyboard
 * (axe-core: scrollable-region-focusable).
 */
export const CodeBlock = ({ source, children = source }: CodeBlockProps) => (
  <div className="markdown-code">
    <pre tabIndex={0} dir="ltr">
      <code>{children}</code>
    </pre>
    <CopyButton text={source} />
  </div>
)
