import { useRouter } from '@tanstack/react-router'
import { memo, type ReactNode } from 'react'
import type { Memory } from '../../../shared/contract/memories.ts'
import type { MemoryOrder } from '../../../shared/contract/memory-lists.ts'
import { memories as texts } from '../../texts/memories.ts'
import { Time } from '../../ui/time.tsx'
import { TrustBadge } from './origin.tsx'
import { plainExcerpt } from './plain-text.ts'

/** In characters; more does not fit into a row, and a memory may have 32,000. */
const PREVIEW = 400

export const previewOf = (content: string): string => plainExcerpt(content, PREVIEW)

/** The time that a list in this order is sorted by: when it was stored, or when it happened. */
export const timeOf = ({ occurred_at, created_at }: Memory, order: MemoryOrder): string =>
  order === 'happened' ? (occurred_at ?? created_at) : created_at

interface MemoryMetaProps {
  memory: Memory
  isDeleted?: boolean
  /** Decides the time that is shown. Default: when it happened. */
  order?: MemoryOrder
  /** A mark beside the type. */
  children?: ReactNode
}

/** The type, thread, tags and time of a memory in one line. */
export const MemoryMeta = ({
  memory,
  isDeleted,
  order = 'happened',
  children,
}: MemoryMetaProps) => (
  <div className="memory-meta">
    <span className="memory-type">{texts.types[memory.memory_type]}</span>
    {children}
    {memory.superseded_by && <span className="badge warn">{texts.replaced}</span>}
    {memory.author && <bdi className="memory-label">{memory.author}</bdi>}
    {memory.thread && <bdi className="memory-label">{memory.thread}</bdi>}
    {memory.tags.slice(0, 4).map((tag) => (
      <bdi key={tag} className="badge memory-label">
        {tag}
      </bdi>
    ))}
    <span className="memory-time">
      {isDeleted && `${texts.deletedAt} `}
      <Time iso={isDeleted ? memory.updated_at : timeOf(memory, order)} />
    </span>
  </div>
)

interface MemoryRowProps {
  memory: Memory
  index: number
  isSelected: boolean
  isActive: boolean
  isDeleted: boolean
  order: MemoryOrder
  /** In pixels. */
  top: number
  height: number
}

/**
 * A row of the list. The row has the focus; its checkbox and link are for the pointer and screen readers,
 * and the list handles their events. While scrolling, only rows that come into view are rendered.
 */
export const MemoryRow = memo((props: MemoryRowProps) => {
  const { memory, index, isSelected, isActive, isDeleted, order, top, height } = props
  const { basepath } = useRouter()
  return (
    <tr
      aria-rowindex={index + 1}
      aria-selected={isSelected}
      data-index={index}
      tabIndex={isActive ? 0 : -1}
      className={isDeleted ? 'memory-row deleted' : 'memory-row'}
      style={{ transform: `translateY(${top}px)`, height }}
    >
      <td className="memory-select">
        <input
          type="checkbox"
          tabIndex={-1}
          checked={isSelected}
          readOnly
          aria-label={texts.select(memory.content_text.slice(0, 80))}
        />
      </td>
      <td className="memory-cell">
        <a
          href={`${basepath}/memories/${memory.memory_id}`}
          tabIndex={-1}
          dir="auto"
          className={isDeleted ? 'memory-text quiet' : 'memory-text'}
        >
          {previewOf(memory.content_text)}
        </a>
        <MemoryMeta memory={memory} isDeleted={isDeleted} order={order}>
          <TrustBadge memory={memory} />
        </MemoryMeta>
      </td>
    </tr>
  )
})
