import { useEffect, useState } from 'react'

/** Whether a time has come. The component is rendered again when it comes. */
export const useIsPast = (time: number): boolean => {
  const [reached, setReached] = useState<number>()
  useEffect(() => {
    const timer = setTimeout(() => setReached(time), Math.max(0, time - Date.now()))
    return () => clearTimeout(timer)
  }, [time])
  return reached === time || Date.now() >= time
}
