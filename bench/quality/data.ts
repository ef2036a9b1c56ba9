import { readFileSync } from 'node:fs'

export interface SourceMemory {
  id: string
  thread: string
  author: string
  occurredAt: string
  content: string
}

export interface SourceQuestion {
  question: string
  category: string
  /** The ids of the memories that answer it. */
  evidence: string[]
}

export interface Conversation {
  name: string
  memories: SourceMemory[]
  questions: SourceQuestion[]
}

/** A data file of LoCoMo (Maharana et al., 2024): conversations between two people. */
interface LocomoSample {
  sample_id: string
  conversation: Record<string, string | LocomoTurn[]>
  qa: { question: string; evidence: string[]; category: number }[]
}

interface LocomoTurn {
  speaker: string
  dia_id: string
  text: string
  blip_caption?: string
}

/** A data file of BEAM (Tavakoli et al., 2025): chats of a user with an assistant. */
interface BeamSample {
  name: string
  memories: { id: string; thread: string; author: string; occurred_at: string; content: string }[]
  questions: SourceQuestion[]
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
    questions: qa.map(({ question, evidence, category }) => ({
      question,
      category: LOCOMO_CATEGORIES[category - 1] ?? String(category),
      evidence: evidence.flatMap((text) => text.match(/D\d+:\d+/g) ?? []),
    })),
  }
}

const fromBeam = ({ name, memories, questions }: BeamSample): Conversation => ({
  name,
  memories: memories.map(({ occurred_at, ...memory }) => ({ ...memory, occurredAt: occurred_at })),
  questions,
})

/** Reads the conversations of a data file, without questions whose evidence is missing. */
export const readConversations = (path: string): Conversation[] => {
  const samples: (LocomoSample | BeamSample)[] = JSON.parse(readFileSync(path, 'utf8'))
  return samples.map((sample) => {
    const conversation = 'qa' in sample ? fromLocomo(sample) : fromBeam(sample)
    const known = new Set(conversation.memories.map(({ id }) => id))
    const questions = conversation.questions
      .map((question) => ({
        ...question,
        evidence: [...new Set(question.evidence)].filter((id) => known.has(id)),
      }))
      .filter(({ evidence }) => evidence.length > 0)
    return { ...conversation, questions }
  })
}
