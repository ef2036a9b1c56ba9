import type { UsualSimilarity } from '../memories/vectors.ts'

/** A memory that may answer the question, or whose terms count for one that does. */
export interface Candidate {
  /** Its place in `CandidateSet.candidates`. */
  index: number
  seq: number
  /** Negative for a memory without a thread. */
  thread: number
  position: number
  /** It contains a question. */
  asks: boolean
  /** It ends with a question. */
  endsAsking: boolean
  author: string | null
  bytes: number
  /** In words. */
  length: number
  /** It is valid and passes the filter; the others are only the context of their neighbours. */
  passesFilter: boolean
  isAtNamedTime: boolean
  /** It is not superseded. */
  isLive: boolean
}

/** The occurrence of a query term in a candidate. */
export interface TermPosting {
  queryTerm: number
  seq: number
  /** BM25. */
  score: number
}

/** A stem or exact form of the question, with its variants. */
export interface QueryTerm {
  idf: number
  /** How much it counts for what the question is about. */
  weight: number
  /** It is a name of an author. */
  isName: boolean
}

/** Statistics of an author's memories. */
export interface AuthorStats {
  meanBytes: number
  /** How many of them end with a question, from 0 to 1. */
  questionShare: number
  /** How many of them follow a question, from 0 to 1. */
  answerShare: number
}

/** The nearest memories by vector, best first, and how near memories usually are. */
export interface VectorMatches {
  matches: VectorMatch[]
  /** The similarities of a sample of the owner's memories. */
  usual: number[]
  /** Those of any texts, by the model. */
  prior?: UsualSimilarity | undefined
  /** The similarity of a candidate; undefined where it is not known. */
  similarityOf(seq: number): number | undefined
}

export const NO_MATCHES: VectorMatches = { matches: [], usual: [], similarityOf: () => undefined }

export interface CandidateSet {
  candidates: Candidate[]
  /** By thread. */
  lastPositions: Map<number, number>
  postings: TermPosting[]
  terms: Map<number, QueryTerm>
  /** The best by BM25 of their own terms, and the nearest by vector: all their neighbours are candidates. */
  topMatches: Set<number>
  /** Memories that state a fact that the question asks for, by `seq`: 1 for the latest. */
  factRanks: Map<number, number>
  /** By author; the empty author is that of memories without one. */
  authorStats: Map<string, AuthorStats>
  /** The author that the question names first: whether it names no other. */
  namedAuthors: Map<string, boolean>
  /** The question's words that no memory has: how many, their weight, and the idf of a word in one memory. */
  unknown: { idf: number; count: number; weight: number }
}

export const NO_CANDIDATES: CandidateSet = {
  candidates: [],
  lastPositions: new Map(),
  postings: [],
  terms: new Map(),
  topMatches: new Set(),
  factRanks: new Map(),
  authorStats: new Map(),
  namedAuthors: new Map(),
  unknown: { idf: 0, count: 0, weight: 0 },
}

/** A memory near the question by vector. */
export interface VectorMatch {
  seq: number
  /** The cosine similarity of the vectors. */
  similarity: number
}
