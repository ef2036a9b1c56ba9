import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * Written for this repository: changed facts; numbers, ten languages, questions without an answer and repeated ones; and
 * questions with and without an answer in seven languages, for the relevance that a prompt needs to be given memories.
 */
export const OWN_SETS = ['changes', 'stores', 'gate'].map((name) =>
  fileURLToPath(new URL(`sets/${name}.json`, import.meta.url)),
)

export interface SourceMemory {
  id: string
  /** Undefined for a note that stands alone. */
  thread?: string
  author?: string
  occurredAt?: string
  content: string
}

export interface SourceQuestion {
  question: string
  category: string
  /** The ids of the memories that answer it. */
  evidence: string[]
  /** The true answer, where the file has it. */
  answer?: string
}

/** The category of questions that no memory answers: only which memory stands first for them counts. */
export const UNANSWERED = 'unanswered'

export interface Conversation {
  name: string
  memories: SourceMemory[]
  questions: SourceQuestion[]
}

/** A data file of LoCoMo (Maharana et al., 2024): conversations between two people. */
interface LocomoSample {
  sample_id: string
  conversation: Record<string, string | LocomoTurn[]>
  qa: { question: string; answer?: string | number; evidence: string[]; category: number }[]
}

interface LocomoTurn {
  speaker: string
  dia_id: string
  text: string
  blip_caption?: string
}

/** A data file of BEAM (Tavakoli et al., 2025): chats of a user with an assistant; and sets of this repository. */
interface BeamSample {
  name: string
  memories: {
    id: string
    thread?: string
    author?: string
    occurred_at?: string
    content: string
  }[]
  questions: SourceQuestion[]
}

/** A question of LongMemEval (Wu et al., 2025) with its own history: sessions of a user with an assistant. */
interface LongMemEvalSample {
  question_id: string
  question_type: string
  question: string
  answer: string | number
  haystack_session_ids: string[]
  /** Such as "2023/05/20 (Sat) 02:21". */
  haystack_dates: string[]
  haystack_sessions: { role: string; content: string; has_answer?: boolean }[][]
}

/** A store of notes that stand alone, with questions, such as functions and searches of CoSQA (Huang et al., 2021). */
interface StoreSample {
  name?: string
  memories: { id: string; content: string }[]
  questions: { question: string; evidence: string[] }[]
}

/** A note with a question that shares words with it, and one that shares none that matter. */
interface NoteSample {
  content: string
  direct: string
  otherwise: string
}

const LOCOMO_CATEGORIES = [
  'multi-hop',
  'temporal',
  'open-domain',
  'single-hop',
  'adversarial',
] as const

/** Reads "1:56 pm on 8 May, 2023" as UTC. */
const parseInstant = (text: string): string => {
  const [time, day] = text.split(' on ')
  return new Date(`${day} ${time} UTC`).toISOString()
}

const fromLocomo = ({ sample_id, conversation, qa }: LocomoSample): Conversation => {
  const sessions = Object.entries(conversation)
    .flatMap(([key, turns]) => {
      const number = /^session_(\d+)$/.exec(key)?.[1]
      return number && Array.isArray(turns) ? [{ key, number: Number(number), turns }] : []
    })
    .sort((a, b) => a.number - b.number)
  return {
    name: sample_id,
    memories: sessions.flatMap(({ key, number, turns }) =>
      turns.map(({ dia_id, speaker, text, blip_caption }) => ({
        id: dia_id,
        thread: `${sample_id} session ${number}`,
        author: speaker,
        occurredAt: parseInstant(String(conversation[`${key}_date_time`])),
        content: blip_caption ? `${text} [shares a photo: ${blip_caption}]` : text,
      })),
    ),
    questions: qa.map(({ question, answer, evidence, category }) => ({
      question,
      ...(answer !== undefined && { answer: String(answer) }),
      category: LOCOMO_CATEGORIES[category - 1] ?? String(category),
      evidence: evidence.flatMap((text) => text.match(/D\d+:\d+/g) ?? []),
    })),
  }
}

const fromBeam = ({ name, memories, questions }: BeamSample): Conversation => ({
  name,
  memories: memories.map(({ occurred_at, ...memory }) => ({
    ...memory,
    ...(occurred_at !== undefined && { occurredAt: occurred_at }),
  })),
  questions,
})

const fromLongMemEval = (sample: LongMemEvalSample): Conversation => {
  const turns = sample.haystack_sessions.flatMap((session, index) => {
    const thread = sample.haystack_session_ids[index] ?? String(index)
    const [day, time] = (sample.haystack_dates[index] ?? '').split(/ \(\w+\) /)
    const occurredAt = new Date(`${day} ${time} UTC`).toISOString()
    return session.map(({ role, content, has_answer }, turn) => ({
      id: `${thread}:${turn + 1}`,
      thread,
      author: role,
      occurredAt,
      content,
      isEvidence: has_answer === true,
    }))
  })
  const { question_id, question_type, question, answer } = sample
  const evidence = turns.flatMap(({ id, isEvidence }) => (isEvidence ? id : []))
  return {
    name: question_id,
    memories: turns
      .filter(({ content }) => content.trim() !== '')
      .map(({ isEvidence: _, ...memory }) => memory),
    questions: [{ question, category: question_type, evidence, answer: String(answer) }],
  }
}

const fromStore = ({ name = 'store', memories, questions }: StoreSample): Conversation => ({
  name,
  memories,
  questions: questions.map((question) => ({ category: 'all', ...question })),
})

const fromNotes = (notes: NoteSample[]): Conversation => ({
  name: 'notes',
  memories: notes.map(({ content }) => ({ id: content, content })),
  questions: notes.flatMap(({ content, direct, otherwise }) => [
    { question: direct, category: 'direct', evidence: [content] },
    { question: otherwise, category: 'in other words', evidence: [content] },
  ]),
})

type Sample = LocomoSample | BeamSample | LongMemEvalSample

const readSample = (sample: Sample): Conversation => {
  if ('qa' in sample) return fromLocomo(sample)
  return 'haystack_sessions' in sample ? fromLongMemEval(sample) : fromBeam(sample)
}

const isNotes = (samples: Sample[] | NoteSample[]): samples is NoteSample[] =>
  samples[0] !== undefined && 'otherwise' in samples[0]

const readAll = (file: Sample[] | NoteSample[] | StoreSample): Conversation[] => {
  if (!Array.isArray(file)) return [fromStore(file)]
  return isNotes(file) ? [fromNotes(file)] : file.map(readSample)
}

/** The SHA-256 of a data file, by which others know that they have the same. */
export const hashOf = (path: string): string =>
  createHash('sha256').update(readFileSync(path)).digest('hex')

/** Reads the conversations of a data file, without questions whose evidence is missing, apart from `UNANSWERED`. */
export const readConversations = (path: string): Conversation[] => {
  return readAll(JSON.parse(readFileSync(path, 'utf8'))).map((conversation) => {
    const known = new Set(conversation.memories.map(({ id }) => id))
    const questions = conversation.questions
      .map((question) => ({
        ...question,
        evidence: [...new Set(question.evidence)].filter((id) => known.has(id)),
      }))
      .filter(({ evidence, category }) => evidence.length > 0 || category === UNANSWERED)
    return { ...conversation, questions }
  })
}
