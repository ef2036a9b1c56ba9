import { createHash, randomUUID } from 'node:crypto'

/**
 * The place of each message: a hash of it and the person's messages before. Programs change the rest of a
 * conversation between requests, such as marks for caches and results of tools.
 */
export const placesOf = (start: string, texts: string[]): string[] => {
  let place = start
  return texts.map((text) => {
    place = hashOf(place, text)
    return place
  })
}

/** The place after a response, which the provider keeps with the messages before. */
export const responsePlace = (id: string): string => hashOf('response', id)

/**
 * The id of a conversation of which no turn is known. The first answer distinguishes conversations that
 * begin with the same words.
 */
export const newConversationId = ([first = '', ...later]: string[], firstAnswer: string): string =>
  later.length === 0 ? randomUUID() : hashOf(first, firstAnswer).slice(0, 32)

/** The conversation that a program names, or all those of one that names none. */
export const scopeOf = (ownerId: string, client: string, session: string | undefined): string =>
  hashOf(ownerId, client, session ?? '')

const hashOf = (...parts: string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex')
