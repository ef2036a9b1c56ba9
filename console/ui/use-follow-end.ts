import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

/** A reader within this distance of the end follows new text. */
const NEAR_PX = 80

const scrollToEnd = ({ current }: RefObject<HTMLElement | null>): void => {
  if (current) current.scrollTop = current.scrollHeight
}

/**
 * Keeps the end of a scrolled list in view while it grows, unless the reader has scrolled away. Content
 * that is added above does not move what the reader sees.
 * @param firstId the id of the first item of the list, which changes when earlier ones are added.
 */
export const useFollowEnd = (firstId: string | undefined) => {
  const container = useRef<HTMLElement>(null)
  const isFollowing = useRef(true)
  const rendered = useRef({ firstId, height: 0 })
  const [isAway, setAway] = useState(false)
  useLayoutEffect(() => {
    const { current } = container
    const before = rendered.current
    rendered.current = { firstId, height: current?.scrollHeight ?? 0 }
    if (isFollowing.current) scrollToEnd(container)
    else if (current && firstId !== before.firstId)
      current.scrollTop += current.scrollHeight - before.height
  })
  useLayoutEffect(() => {
    // Markdown is rendered after the text arrived, and images or fonts change heights too.
    const content = container.current?.firstElementChild
    if (!content) return
    const observer = new ResizeObserver(() => {
      rendered.current.height = container.current?.scrollHeight ?? 0
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
  }
}
