import { useEffect, useState } from 'react'

/** A text as it was when it last stayed the same for a while. @param delayMs in milliseconds. */
export const usePaused = (text: string, delayMs: number): string => {
  const [paused, setPaused] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), delayMs)
    return () => clearTimeout(timer)
  }, [text, delayMs])
  return paused
}
