import type { ToolUse } from '../../../shared/contract/chat.ts'
import { readUrl, type UrlPage } from '../../../shared/contract/url.ts'
import { useAction } from '../../session/query.ts'
import { chat } from '../../texts/chat.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { notifyError } from '../../ui/toast.tsx'

const texts = chat.answer

/** The part of a tool's input that names its subject. */
const subjectOf = ({ input }: ToolUse): string => {
  if (typeof input !== 'object' || input === null) return ''
  const [subject] = Object.values(input).filter((value) => typeof value === 'string')
  return subject ?? ''
}

/** The tools that the model used for an answer. */
export const Tools = ({ tools }: { tools: readonly ToolUse[] }) => {
  const used = tools.filter(({ state }) => state !== 'proposed')
  if (!used.length) return null
  return (
    <ul className="chat-tools plain small quiet">
      {used.map((tool) => (
        <li key={tool.id}>
          <Icon name={tool.name === 'fetch_url' ? 'globe' : 'memory'} />
          {texts.tool[tool.name] ?? tool.name}
          <bdi className="truncate">{subjectOf(tool)}</bdi>
          {texts.toolStates[tool.state]}
        </li>
      ))}
    </ul>
  )
}

interface ProposedPagesProps {
  tools: readonly ToolUse[]
  onRead: (page: UrlPage) => void
}

/** Addresses in the question that svc reads only if the user agrees. */
export const ProposedPages = ({ tools, onRead }: ProposedPagesProps) => {
  const read = useAction(readUrl, { onSuccess: onRead, onError: notifyError })
  return tools
    .filter(({ state }) => state === 'proposed')
    .map((tool) => (
      <div key={tool.id} className="chat-proposed small">
        <span className="user-text">{texts.proposed(subjectOf(tool))}</span>
        <Button
          isSmall
          isPending={read.isPending}
          onPress={() => read.mutate({ body: { url: subjectOf(tool) } })}
        >
          {texts.read}
        </Button>
      </div>
    ))
}
