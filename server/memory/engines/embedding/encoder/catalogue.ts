/** The repositories at the hub of the models that svc knows by short names. */
export const CATALOGUE: Record<string, string> = {
  minilm: 'sentence-transformers/all-MiniLM-L6-v2',
  'multilingual-e5': 'intfloat/multilingual-e5-small',
}
