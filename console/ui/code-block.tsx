import { Children, isValidElement, type ReactNode } from 'react'
import { CopyButton } from './copy.tsx'

const textOf = (node: ReactNode): string =>
  Children.toArray(node)
    .map((child) =>
      isValidElement<{ children?: ReactNode }>(child)
        ? textOf(child.props.children)
        : String(child),
    )
    .join('')

/**
 * Code in Markdown, with a button that copies it. A region that scrolls must be reachable by keyboard
 * (axe-core: scrollable-region-focusable).
 */
export const CodeBlock = ({ children }: { children?: ReactNode }) => (
  <div className="markdown-code">
    <pre tabIndex={0} dir="ltr">
      {children}
    </pre>
    <CopyButton text={textOf(children)} />
  </div>
)
