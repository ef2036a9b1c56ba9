import { defaultRangeExtractor, type Range, useWindowVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useDensity } from '../../shell/density.ts'
import { NARROW, useMedia } from '../../ui/use-media.ts'

const OVERSCAN = 8
/** The next page is requested this many rows before the end. */
const ROWS_AHEAD = 60
/** The height of the bar that stays at the top. */
const SCROLL_PADDING = 72

interface RowsProps {
  memories: readonly unknown[]
  hasMore: boolean
  onEnd: () => void
}

/** The rows near the view, and the active one. Requests the next page before the end. */
export const useRows = (
  { memories, hasMore, onEnd }: RowsProps,
  { active, top, rowHeight }: { active: number; top: number; rowHeight: number },
) => {
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
  const lastIndex = virtualizer.range?.endIndex ?? 0
  useEffect(() => {
    if (hasMore && lastIndex >= memories.length - ROWS_AHEAD) onEnd()
  }, [hasMore, lastIndex, memories.length, onEnd])
  return virtualizer
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
export const useOffsetTop = () => {
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
export const useRowHeight = (): number => {
  const { wide, narrow } = ROW_HEIGHTS[useDensity()]
  const textSize = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
  return Math.round((useMedia(NARROW) ? narrow : wide) * textSize)
}
