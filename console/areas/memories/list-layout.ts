import { useLayoutEffect, useRef, useState } from 'react'
import { useDensity } from '../../shell/density.ts'
import { NARROW, useMedia } from '../../ui/use-media.ts'

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
