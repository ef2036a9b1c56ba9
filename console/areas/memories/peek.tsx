import { Link } from '@tanstack/react-router'
import { useSyncExternalStore } from 'react'
import type { Memory } from '../../../shared/contract/memories.ts'
import { memories } from '../../texts/memories.ts'
import { useMedia } from '../../ui/use-media.ts'
import { MemoryDetails } from './memory-details.tsx'
import { MemoryText } from './memory-text.tsx'

const texts = memories.peek
/** Room for a list and a memory. */
const WIDE = '(min-width: 80rem)'
/** A preference of this browser. */
const STORAGE_KEY = 'svc-peek'
const listeners = new Set<() => void>()

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const setPeeking = (isOn: boolean): void => {
  if (isOn) localStorage.setItem(STORAGE_KEY, 'on')
  else localStorage.removeItem(STORAGE_KEY)
  for (const notify of listeners) notify()
}

/** Whether the memory of the focus is shown beside the list; undefined where there is no room. */
export const usePeeking = (): boolean | undefined => {
  const isOn = useSyncExternalStore(subscribe, () => localStorage.getItem(STORAGE_KEY) !== null)
  return useMedia(WIDE) ? isOn : undefined
}

/** A memory beside the list. */
export const Peek = ({ memory }: { memory: Memory | undefined }) => (
  <aside className="memory-peek" aria-label={texts.title}>
    {memory ? (
      <div key={memory.memory_id} className="stack">
        <div className="card">
          <MemoryText text={memory.content_text} />
        </div>
        <MemoryDetails memory={memory} />
        <div className="row">
          <Link className="button" to="/memories/$id" params={{ id: memory.memory_id }}>
            {texts.open}
          </Link>
        </div>
      </div>
    ) : (
      <p className="quiet">{texts.none}</p>
    )}
  </aside>
)
