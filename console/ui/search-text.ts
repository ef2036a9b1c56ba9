import { useRouter, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'

/** The time without typing after which a search runs. */
const PAUSE_MS = 250

/**
 * The text of a search field whose query is in the address.
 * @param query the query in the address.
 * @param onQuery changes the address: after a pause in typing, or at once by `apply`.
 */
export const useSearchText = (query: string, onQuery: (query: string) => void) => {
  const [text, setText] = useState(query)
  const sent = useRef(query)
  useEffect(() => {
    // Links, Back and Forward change the address without the field.
    if (query === sent.current) return
    sent.current = query
    setText(query)
  }, [query])
  const apply = (typed: string) => {
    const next = typed.trim()
    if (next === sent.current) return
    sent.current = next
    onQuery(next)
  }
  const latest = useRef(apply)
  latest.current = apply
  const router = useRouter()
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname })
  useEffect(() => {
    const timer = setTimeout(() => {
      // A query would cancel the navigation to another screen that is still loading.
      if (router.latestLocation.pathname === path) latest.current(text)
    }, PAUSE_MS)
    return () => clearTimeout(timer)
  }, [router, path, text])
  return { text, setText, apply }
}
