import { Link } from '@tanstack/react-router'
import type { Memory } from '../../../shared/contract/memories.ts'
import { memories } from '../../texts/memories.ts'
import { Time } from '../../ui/time.tsx'

type LinkedMemory = Pick<Memory, 'memory_id' | 'content_text' | 'created_at' | 'memory_type'>

/** Long enough for the lines that are shown; the page of the memory has all of it. */
const MAX_SHOWN = 600

export const memoryPath = (id: string): string => `/memories/${id}`

/** A memory as a row that leads to it. */
export const MemoryLink = ({ memory }: { memory: LinkedMemory }) => (
  <Link className="home-memory" to={memoryPath(memory.memory_id)}>
    <span className="user-text home-clip" dir="auto">
      {memory.content_text.slice(0, MAX_SHOWN)}
    </span>
    <span className="row quiet small">
      <span className="badge">{memories.types[memory.memory_type]}</span>
      <Time iso={memory.created_at} />
    </span>
  </Link>
)
