import { metadataProblem } from './content.ts'
import { memoryError } from './errors.ts'

/**
 * @param path where an item is in the body.
 * @throws ApiError 422 that names each item with too much metadata.
 */
export const checkMetadata = (
  items: { metadata?: Record<string, unknown> }[],
  path: (index: number) => (string | number)[] = () => [],
): void => {
  const errors = items.flatMap(({ metadata }, index) => {
    const problem = metadataProblem(metadata)
    return problem ? [{ loc: ['body', ...path(index), 'metadata'], ...problem }] : []
  })
  if (errors.length) throw memoryError('metadata_too_long', errors)
}
