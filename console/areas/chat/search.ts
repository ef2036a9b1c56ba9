/** The filter of the list of chats. */
export interface ChatSearch {
  q?: string
  category?: string
  archived?: boolean
}

export const validateChats = ({ q, category, archived }: Record<string, unknown>): ChatSearch => ({
  ...(q !== undefined && q !== '' && { q: String(q) }),
  ...(typeof category === 'string' && { category }),
  ...(archived === true && { archived }),
})
