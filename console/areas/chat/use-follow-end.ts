import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

/** A reader within this distance of the end follows new text. */
const NEAR_PX = 80

const scrollToEnd = ({ current }: RefObject<HTMLElement | null>): void => {
  if (current) current.scrollTop = current.scrollHeight
}

/** Keeps the end of a scrolled list in view while it grows, unless the reader has scrolled away. */
export const useFollowEnd = () => {
  const container = useRef<HTMLElement>(null)
  const isFollowing = useRef(true)
  const [isAway, setAway] = useState(false)
  useLayoutEffect(() => {
    if (isFollowing.current) scrollToEnd(container)
  })
  useLayoutEffect(() => {
    // Markdown is rendered after the text arrived, and images or fonts change heights too.
    const content = container.current?.firstElementChild
    if (!content) return
    const observer = new ResizeObserver(() => {
      if (isFollowing.current) scrollToEnd(container)
    })
    observer.observe(content)
    return () => observer.disconnect()
  }, [])
  return {
    container,
    isAway,
    onScroll() {
      const { current } = container
      if (!current) return
      const distance = current.scrollHeight - current.scrollTop - current.clientHeight
      isFollowing.current = distance < NEAR_PX
      setAway(distance >= NEAR_PX)
    },
    follow() {
      isFollowing.current = true
      setAway(false)
      scrollToEnd(container)
    },
    /** Content that is added above does not move what the reader sees. */
    async keepPlace(loading: Promise<unknown>): Promise<void> {
      const { current } = container
      if (!current) return
      const fromEnd = current.scrollHeight - current.scrollTop
      await loading
      requestAnimationFrame(() => {
        current.scrollTop = current.scrollHeight - fromEnd
      })
    },
  }
}
