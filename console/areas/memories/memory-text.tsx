import { lazy, Suspense, useState } from 'react'
import { memory as texts } from '../../texts/memory.ts'
import { Button } from '../../ui/button.tsx'
import { isMarkdown } from './plain-text.ts'

const Markdown = lazy(() => import('../../ui/markdown.tsx'))

/** The text of a memory; Markdown is formatted, and its source one press away. */
export const MemoryText = ({ text }: { text: string }) => {
  const [isSource, setSource] = useState(false)
  const source = (
    <div className="user-text" dir="auto">
      {text}
    </div>
  )
  if (!isMarkdown(text)) return source
  return (
    <>
      {isSource ? (
        source
      ) : (
        <Suspense fallback={source}>
          <Markdown text={text} />
        </Suspense>
      )}
      <Button isSmall look="quiet" onPress={() => setSource(!isSource)}>
        {isSource ? texts.formatted : texts.source}
      </Button>
    </>
  )
}
