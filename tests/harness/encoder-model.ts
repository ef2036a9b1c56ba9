import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { FLOAT, floats, INT64, input, integers, model, node, output } from './onnx.ts'

export const DIMENSIONS = 16

interface EncoderOptions {
  tokenizer?: 'WordPiece' | 'Unigram'
  pooling?: 'mean' | 'cls'
  hasTokenTypes?: boolean
  /** Words of one group have one vector. */
  synonyms?: string[][]
  words?: string[]
}

const SPECIAL = ['[PAD]', '[UNK]', '[CLS]', '[SEP]']

/** The vector of a token before the model mixes it with those of the other tokens. */
export const tokenVector = (meaning: string): number[] =>
  Array.from(
    createHash('sha256').update(meaning).digest().subarray(0, DIMENSIONS),
    (byte) => (byte - 127.5) / 128,
  )

/**
 * A model with the inputs and outputs of BERT. Each token's output is its vector plus the sum of all that
 * the attention mask shows, plus a constant where the model has token types.
 */
const encoderModel = (meanings: string[], hasTokenTypes: boolean): Buffer =>
  model([
    input('input_ids', INT64, ['batch', 'sequence']),
    input('attention_mask', INT64, ['batch', 'sequence']),
    ...(hasTokenTypes ? [input('token_type_ids', INT64, ['batch', 'sequence'])] : []),
    floats('words', [meanings.length, DIMENSIONS], meanings.flatMap(tokenVector)),
    floats('types', [2, DIMENSIONS], [...tokenVector('type 0'), ...tokenVector('type 1')]),
    integers('last', [2]),
    integers('sequence', [1]),
    node('Gather', ['words', 'input_ids'], ['embedded']),
    ...(hasTokenTypes
      ? [
          node('Gather', ['types', 'token_type_ids'], ['typed']),
          node('Add', ['embedded', 'typed'], ['tokens']),
        ]
      : [node('Identity', ['embedded'], ['tokens'])]),
    node('Cast', ['attention_mask'], ['mask'], { to: FLOAT }),
    node('Unsqueeze', ['mask', 'last'], ['shown']),
    node('Mul', ['tokens', 'shown'], ['masked']),
    node('ReduceSum', ['masked', 'sequence'], ['sum'], { keepdims: 1 }),
    node('Add', ['tokens', 'sum'], ['last_hidden_state']),
    output('last_hidden_state', FLOAT, ['batch', 'sequence', DIMENSIONS]),
  ])

const template = {
  type: 'TemplateProcessing',
  single: ['[CLS]', 'A', '[SEP]'].map((id) =>
    id === 'A' ? { Sequence: { id, type_id: 0 } } : { SpecialToken: { id, type_id: 0 } },
  ),
  pair: [],
  special_tokens: Object.fromEntries(
    ['[CLS]', '[SEP]'].map((id) => [id, { id, ids: [SPECIAL.indexOf(id)], tokens: [id] }]),
  ),
}

const tokenizerOf = (type: 'WordPiece' | 'Unigram', vocabulary: string[]) => ({
  version: '1.0',
  decoder: null,
  added_tokens: SPECIAL.map((content, id) => ({
    id,
    content,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: true,
  })),
  normalizer:
    type === 'WordPiece'
      ? { type: 'BertNormalizer', clean_text: true, handle_chinese_chars: true, lowercase: true }
      : { type: 'Lowercase' },
  pre_tokenizer:
    type === 'WordPiece'
      ? { type: 'BertPreTokenizer' }
      : { type: 'Metaspace', replacement: '▁', add_prefix_space: true, prepend_scheme: 'always' },
  post_processor: template,
  model:
    type === 'WordPiece'
      ? {
          type,
          unk_token: '[UNK]',
          continuing_subword_prefix: '##',
          vocab: Object.fromEntries(vocabulary.map((token, id) => [token, id])),
        }
      : { type, unk_id: 1, vocab: vocabulary.map((token, i) => [token, i < 4 ? 0 : -i]) },
})

/** Writes a sentence encoder of a few kilobytes in the layout of sentence-transformers. */
export const writeEncoder = (
  directory: string,
  {
    tokenizer = 'WordPiece',
    pooling = 'mean',
    hasTokenTypes = true,
    synonyms = [],
    words = [],
  }: EncoderOptions = {},
): void => {
  const known = [...words, ...synonyms.flat()]
  const meaningOf = (word: string) => synonyms.find((group) => group.includes(word))?.[0] ?? word
  const frame = tokenizer === 'Unigram' ? '▁' : ''
  const files: Record<string, string | Buffer> = {
    'onnx/model.onnx': encoderModel([...SPECIAL, ...known.map(meaningOf)], hasTokenTypes),
    'tokenizer.json': JSON.stringify(
      tokenizerOf(tokenizer, [...SPECIAL, ...known.map((word) => frame + word)]),
    ),
    'tokenizer_config.json': JSON.stringify({ pad_token: '[PAD]', unk_token: '[UNK]' }),
    'config.json': JSON.stringify({ model_type: 'bert', max_position_embeddings: 512 }),
    '1_Pooling/config.json': JSON.stringify({
      pooling_mode_cls_token: pooling === 'cls',
      pooling_mode_mean_tokens: pooling === 'mean',
    }),
    'README.md': '---\nlicense: apache-2.0\n---\n\n# A model of the tests\n',
  }
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true })
    writeFileSync(join(directory, path), content)
  }
}
