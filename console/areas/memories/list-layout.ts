import { useLayoutEffect, useRef, useState } from 'react'
import { NARROW, useMedia } from '../../ui/use-media.ts'

/** The heights of `.memory-row`, in pixels. Equal heights keep the scroll position exact. */
const ROW_HEIGHT = 64
const NARROW_ROW_HEIGHT = 88

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

export const useRowHeight = (): number => (useMedia(NARROW) ? NARROW_ROW_HEIGHT : ROW_HEIGHT)
