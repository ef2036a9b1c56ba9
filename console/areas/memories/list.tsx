import { useNavigate } from '@tanstack/react-router'
import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react'
import type { Memory } from '../../../shared/contract/memories.ts'
import type { MemoryOrder } from '../../../shared/contract/memory-lists.ts'
import { useOffsetTop, useRowHeight, useRows } from './list-rows.ts'
import { MemoryRow } from './row.tsx'
import type { MemorySelection } from './selection.ts'

const PAGE_ROWS = 10

interface MemoryGridProps {
  label: string
  memories: readonly Memory[]
  selection: MemorySelection
  hasMore: boolean
  isDeleted?: boolean
  order: MemoryOrder
  onEnd: () => void
  /** Called with the row of the focus; a click then chooses a row instead of opening it. */
  onActive?: ((memory: Memory) => void) | undefined
}

const stepOf = (key: string, index: number, last: number): number | undefined => {
  const steps: Record<string, number> = {
    ArrowDown: index + 1,
    ArrowUp: index - 1,
    PageDown: index + PAGE_ROWS,
    PageUp: index - PAGE_ROWS,
    Home: 0,
    End: last,
  }
  const target = steps[key]
  return target === undefined ? undefined : Math.min(Math.max(target, 0), last)
}

/** The index of the row that an element is in. */
const rowIndexOf = (target: EventTarget): number | undefined => {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null
  return row ? Number(row.dataset.index) : undefined
}

/** A click with a modifier opens a tab or window, as on any link. */
const isPlainClick = ({ button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): boolean =>
  button === 0 && !ctrlKey && !metaKey && !shiftKey && !altKey

/** The row of the focus, which keys and clicks move. */
const useActiveRow = (
  { memories, onActive }: MemoryGridProps,
  element: RefObject<HTMLElement | null>,
) => {
  const [chosen, setActive] = useState(0)
  const active = Math.min(chosen, memories.length - 1)
  const shouldFocus = useRef(false)
  const hasFocus = useRef(false)
  useEffect(() => {
    // A row that is removed takes the focus with it, without a blur event.
    const isLost = hasFocus.current && document.activeElement === document.body
    if (!shouldFocus.current && !isLost) return
    shouldFocus.current = false
    element.current
      ?.querySelector<HTMLElement>(`[data-index="${active}"]`)
      ?.focus({ preventScroll: true })
  })
  const activeMemory = memories[active]
  useEffect(() => {
    if (activeMemory) onActive?.(activeMemory)
  }, [activeMemory, onActive])
  return {
    active,
    focus(index: number) {
      shouldFocus.current = true
      setActive(index)
    },
    onFocus(event: FocusEvent) {
      hasFocus.current = true
      setActive(rowIndexOf(event.target) ?? active)
    },
    onBlur() {
      hasFocus.current = false
    },
  }
}

/** Moves between rows, selects and opens them. @param focus shows a row and gives it the focus. */
const useRowEvents = (
  { memories, selection, onActive }: MemoryGridProps,
  focus: (index: number) => void,
) => {
  const navigate = useNavigate()
  const toggle = (index: number, withRange: boolean) => {
    const memory = memories[index]
    if (memory) selection.toggle(memory.memory_id, withRange)
  }
  const openMemory = (index: number) => {
    const memory = memories[index]
    if (memory) void navigate({ to: '/memories/$id', params: { id: memory.memory_id } })
  }
  const moveTo = (index: number, from: number, withRange: boolean) => {
    focus(index)
    if (!withRange) return
    if (!selection.selected.size) toggle(from, false)
    toggle(index, true)
  }
  return {
    onKeyDown(event: KeyboardEvent) {
      const index = rowIndexOf(event.target)
      if (index === undefined) return
      const target = stepOf(event.key, index, memories.length - 1)
      if (event.ctrlKey || event.metaKey || event.altKey) {
        if (event.key !== 'a' || event.altKey) return
        selection.selectAll()
      } else if (event.key === ' ') {
        // A checkbox that was clicked has the focus, and handles the key itself.
        if (event.target instanceof HTMLInputElement) return
        toggle(index, event.shiftKey)
      } else if (event.key === 'Escape' && selection.selected.size) selection.clear()
      else if (event.key === 'Enter') openMemory(index)
      else if (target !== undefined) moveTo(target, index, event.shiftKey)
      else return
      event.preventDefault()
    },
    onClick(event: MouseEvent) {
      const index = rowIndexOf(event.target)
      if (index === undefined) return
      if (event.target instanceof HTMLInputElement) toggle(index, event.shiftKey)
      else if (isPlainClick(event)) {
        event.preventDefault()
        if (onActive) moveTo(index, index, false)
        else openMemory(index)
      }
    },
  }
}

/**
 * A list of any number of memories: only the rows near the view exist. Arrow keys move between rows, Space
 * selects, with Shift a range, and Enter opens (ARIA grid pattern).
 */
export const MemoryGrid = (props: MemoryGridProps) => {
  const { label, memories, selection, hasMore, isDeleted = false, order } = props
  const { element, top } = useOffsetTop()
  const rowHeight = useRowHeight()
  const { active, focus, onFocus, onBlur } = useActiveRow(props, element)
  const virtualizer = useRows(props, { active, top, rowHeight })
  const { onKeyDown, onClick } = useRowEvents(props, (index) => {
    focus(index)
    virtualizer.scrollToIndex(index)
  })
  return (
    <table
      ref={element}
      role="grid"
      aria-label={label}
      aria-multiselectable
      aria-rowcount={hasMore ? -1 : memories.length}
      className="memory-grid"
      style={{ height: virtualizer.getTotalSize() }}
      onKeyDown={onKeyDown}
      onClick={onClick}
      onFocus={onFocus}
      onBlur={onBlur}
    >
      <tbody>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const memory = memories[index]
          return (
            memory && (
              <MemoryRow
                key={memory.memory_id}
                memory={memory}
                index={index}
                isSelected={selection.selected.has(memory.memory_id)}
                isActive={index === active}
                isDeleted={isDeleted}
                order={order}
                top={start - top}
                height={rowHeight}
              />
            )
          )
        })}
      </tbody>
    </table>
  )
}

/** Focuses the list after an action on its rows, or the heading when no row is left. */
export const focusList = (): void => {
  requestAnimationFrame(() => {
    const target = document.querySelector<HTMLElement>(
      '.memory-grid [tabindex="0"], .recall-result a',
    )
    ;(target ?? document.querySelector<HTMLElement>('h1'))?.focus()
  })
}
