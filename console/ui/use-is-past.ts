import { useEffect, useState } from 'react'
import { serverNow } from '../session/clock.ts'

/** Whether a time has come. The component is rendered again when it comes. */
export const useIsPast = (time: number): boolean => {
  const [reached, setReached] = useState<number>()
  useEffect(() => {
    const timer = setTimeout(() => setReached(time), Math.max(0, time - serverNow()))
    return () => clearTimeout(timer)
  }, [time])
  return reached === time || serverNow() >= time
}
