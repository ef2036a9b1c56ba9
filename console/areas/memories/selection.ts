import { useRef, useState } from 'react'

export interface MemorySelection {
  selected: ReadonlySet<string>
  /** @param withRange selects everything from the last chosen one, as a click with Shift. */
  toggle: (id: string, withRange?: boolean) => void
  selectAll: () => void
  /** Selects other items instead. */
  select: (ids: Iterable<string>) => void
  clear: () => void
}

/** A selection of items of a list. Items that the list no longer has are not selected. */
export const useSelection = (ids: readonly string[]): MemorySelection => {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const anchor = useRef<string>(undefined)
  const present = chosen.size === 0 ? chosen : new Set(ids.filter((id) => chosen.has(id)))
  return {
    selected: present,
    toggle(id, withRange = false) {
      const from = withRange && anchor.current !== undefined ? ids.indexOf(anchor.current) : -1
      const to = ids.indexOf(id)
      anchor.current = id
      const next = new Set(present)
      if (from >= 0)
        for (const each of ids.slice(Math.min(from, to), Math.max(from, to) + 1)) next.add(each)
      else if (!next.delete(id)) next.add(id)
      setChosen(next)
    },
    selectAll: () => setChosen(new Set(ids)),
    select: (others) => setChosen(new Set(others)),
    clear: () => setChosen(new Set()),
  }
}
