import { NIL_UUID } from '../../../shared/contract/common.ts'

/** The primary key of a memory: walks over all memories are in its order. */
export interface MemoryKey {
  ownerId: string
  memoryId: string
}

/** Before all memories. */
export const FIRST_KEY: MemoryKey = {
  ownerId: NIL_UUID,
  memoryId: NIL_UUID,
}

export const formatKey = ({ ownerId, memoryId }: MemoryKey): string => `${ownerId}/${memoryId}`

export const parseKey = (text: string): MemoryKey => {
  const [ownerId = '', memoryId = ''] = text.split('/')
  return { ownerId, memoryId }
}
