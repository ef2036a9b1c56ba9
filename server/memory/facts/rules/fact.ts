/** Something that a text says about somebody, and the sentence that says it. */
export interface Fact {
  kind: 'name' | 'home' | 'work' | 'preference' | 'date' | 'relation' | 'reminder'
  /** Whom it is about: a name as written, or `self` for whoever the memories belong to. */
  subject: string
  /** What it says of them, such as `home`, `work.employer` or `preference.coffee`. */
  key: string
  value: string
  /** Of preferences alone. */
  polarity: 'like' | 'dislike' | null
  /** When a reminder is due; null where no time was named, and of all other facts. */
  dueAt: Date | null
  /** In which time zone that was read, so that what comes again keeps its hour; null as `dueAt` is. */
  timezone: string | null
  /** The sentence as it stands in the text. */
  quote: string
}

export const SELF = 'self'

/** Of a conversation with a model: the person in it, and the other. */
const PERSON = /^(user|human|me)$/i
const MACHINE = /^(assistant|ai|bot|model|system|tool)$/i

/** The subject of what an author says in the first person; undefined where it is no person. */
export const subjectOf = (author: string | null): string | undefined => {
  if (author === null || PERSON.test(author)) return SELF
  return MACHINE.test(author) ? undefined : author
}

/** Keys of which somebody has one at a time; as PostgreSQL reads it too. */
export const SINGULAR =
  '^(name|nickname|home|hometown|address|diet|work[.](employer|title)|date[.](birthday|anniversary)|relation[.](wife|husband)|favourite[.].+)$'
const singular = new RegExp(SINGULAR)

/** Whether a later value takes an earlier one's place, and so contradicts it. */
export const isSingular = (key: string): boolean => singular.test(key)

/** A phrase as the last part of a key: letters and digits in lower case, joined by underscores. */
export const slug = (phrase: string): string =>
  phrase
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\d]+/gu, '_')
    .replace(/^_+|_+$/g, '')
