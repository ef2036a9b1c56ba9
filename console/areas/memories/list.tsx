import { useNavigate } from '@tanstack/react-router'
import { defaultRangeExtractor, type Range, useWindowVirtualizer } from '@tanstack/react-virtual'
import {
  type KeyboardEvent,
  type MouseEvent,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import type { Memory } from '../../../shared/contract/memories.ts'
import type { MemoryOrder } from '../../../shared/contract/memory-lists.ts'
import { useDensity } from '../../shell/density.ts'
import { NARROW, useMedia } from '../../ui/use-media.ts'
import { MemoryRow } from './row.tsx'
import type { MemorySelection } from './selection.ts'

const OVERSCAN = 8
/** The next page is requested this many rows before the end. */
const ROWS_AHEAD = 60
/** The height of the bar that stays at the top. */
const SCROLL_PADDING = 72
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

/**
 * A list of any number of memories: only the rows near the view exist. Arrow keys move between rows, Space
 * selects, with Shift a range, and Enter opens (ARIA grid pattern).
 */
export const MemoryGrid = (props: MemoryGridProps) => {
  const { label, memories, selection, hasMore, isDeleted = false, order, onEnd, onActive } = props
  const navigate = useNavigate()
  const { element, top } = useOffsetTop()
  const rowHeight = useRowHeight()
  const [chosen, setActive] = useState(0)
  const active = Math.min(chosen, memories.length - 1)
  const shouldFocus = useRef(false)
  const hasFocus = useRef(false)
  const rangeExtractor = useCallback(
    (range: Range) => [...new Set([active, ...defaultRangeExtractor(range)])].sort((a, b) => a - b),
    [active],
  )
  const virtualizer = useWindowVirtualizer({
    count: memories.length,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
    scrollMargin: top,
    scrollPaddingStart: SCROLL_PADDING,
    scrollPaddingEnd: SCROLL_PADDING,
    rangeExtractor,
  })
  useEffect(() => {
    if (rowHeight) virtualizer.measure()
  }, [rowHeight, virtualizer])
  const rows = virtualizer.getVirtualItems()
  const lastIndex = virtualizer.range?.endIndex ?? 0
  useEffect(() => {
    if (hasMore && lastIndex >= memories.length - ROWS_AHEAD) onEnd()
  }, [hasMore, lastIndex, memories.length, onEnd])
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

  const toggle = (index: number, withRange: boolean) => {
    const memory = memories[index]
    if (memory) selection.toggle(memory.memory_id, withRange)
  }
  const openMemory = (index: number) => {
    const memory = memories[index]
    if (memory) void navigate({ to: '/memories/$id', params: { id: memory.memory_id } })
  }
  const moveTo = (index: number, from: number, withRange: boolean) => {
    shouldFocus.current = true
    setActive(index)
    virtualizer.scrollToIndex(index)
    if (!withRange) return
    if (!selection.selected.size) toggle(from, false)
    toggle(index, true)
  }
  const onKeyDown = (event: KeyboardEvent) => {
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
  }
  const onClick = (event: MouseEvent) => {
    const index = rowIndexOf(event.target)
    if (index === undefined) return
    if (event.target instanceof HTMLInputElement) toggle(index, event.shiftKey)
    else if (isPlainClick(event)) {
      event.preventDefault()
      if (onActive) moveTo(index, index, false)
      else openMemory(index)
    }
  }
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
      onFocus={(event) => {
        hasFocus.current = true
        setActive(rowIndexOf(event.target) ?? active)
      }}
      onBlur={() => {
        hasFocus.current = false
      }}
    >
      <tbody>
        {rows.map(({ index, start }) => {
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

/** The heights of `.memory-row`, relative to the size of text. Equal heights keep the scroll position exact. */
const ROW_HEIGHTS = {
  comfortable: { wide: 4.1, narrow: 5.8 },
  compact: { wide: 3.3, narrow: 5.1 },
} as const

/**
 * The distance of an element from the top of the page. It changes with the size of what is above, and is
 * not read while scrolling, because that would force a layout in each frame.
 */
const useOffsetTop = () => {
  const element = useRef<HTMLTableElement>(null)
  const [top, setTop] = useState(0)
  useLayoutEffect(() => {
    const measure = () => {
      const rect = element.current?.getBoundingClientRect()
      if (rect) setTop(Math.round(rect.top + window.scrollY))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [])
  return { element, top }
}

/** In pixels. */
const useRowHeight = (): number => {
  const { wide, narrow } = ROW_HEIGHTS[useDensity()]
  const textSize = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
  return Math.round((useMedia(NARROW) ? narrow : wide) * textSize)
}
