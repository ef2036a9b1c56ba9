/** The primary key of a memory: walks over all memories are in its order. */
export interface MemoryKey {
  ownerId: string
  memoryId: string
}

/** Before all memories. */
export const FIRST_KEY: MemoryKey = {
  ownerId: '00000000-0000-0000-0000-000000000000',
  memoryId: '00000000-0000-0000-0000-000000000000',
}

export const formatKey = ({ ownerId, memoryId }: MemoryKey): string => `${ownerId}/${memoryId}`

export const parseKey = (text: string): MemoryKey => {
  const [ownerId = '', memoryId = ''] = text.split('/')
  return { ownerId, memoryId }
}
