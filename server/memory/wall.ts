import type { Caller } from '../platform/http/caller.ts'

declare const wall: unique symbol

/** The owner of memories that a request may read. Only `readableOwners` makes one, so that no query forgets the wall. */
export type ReadableOwner = string & { readonly [wall]: true }

/**
 * Who gets what is read. `person`: the person who asks, alone. `model`: a model, whose answer belongs to the
 * context of the request, so that others may read it.
 */
export type ReaderKind = 'person' | 'model'

export type WalledCaller = Pick<Caller, 'userId' | 'ownerId' | 'isForOrg'>

interface ReadableOwners {
  /** The context of the request: the user or the organization. */
  context: ReadableOwner
  /** The user, where their own memories may be read. */
  personal: ReadableOwner | undefined
  /** The organization that the request acts in. */
  organization: ReadableOwner | undefined
}

/**
 * The owners whose memories a request may read. In an organization, a model reads the memories of the
 * organization alone. A credential of an organization never reaches those of its user, for any reader.
 */
export const readableOwners = (
  { userId, ownerId, isForOrg }: WalledCaller,
  reader: ReaderKind,
): ReadableOwners => {
  const readable = (owner: string) => owner as ReadableOwner
  const isInOrg = ownerId !== userId
  const isWalled = isForOrg || (isInOrg && reader === 'model')
  return {
    context: readable(ownerId),
    personal: isWalled ? undefined : readable(userId),
    organization: isInOrg ? readable(ownerId) : undefined,
  }
}

/**
 * The organization whose part of the user's conversations may be read, which quote the memories of where they were
 * held: null for what was held outside of organizations, undefined for all.
 */
export const readableConversations = (
  { userId, ownerId, isForOrg }: WalledCaller,
  reader: ReaderKind,
): string | null | undefined => {
  if (reader === 'person' && !isForOrg) return undefined
  return ownerId === userId ? null : ownerId
}

/**
 * Whether a model's text becomes a memory. Not in an organization, whose members read each other's memories: a
 * program adds to a prompt what only its user may see, such as custom instructions, files, the memories of
 * another conversation or other sources of its own, and a member could plant a memory that asks a model to
 * copy it.
 */
export const keepsAnswers = ({ userId, ownerId }: WalledCaller): boolean => ownerId === userId
