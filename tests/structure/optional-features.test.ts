import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { FEATURE_PATHS, isOfFeature, LISTS } from '../../scripts/structure/removal.ts'
import { ROOT, readSources } from '../../scripts/structure/sources.ts'
import { OPTIONAL_FEATURES } from '../../shared/features.ts'

const sources = readSources(ROOT)

describe('an optional feature is named by the lists of features alone', () => {
  for (const feature of OPTIONAL_FEATURES)
    test(feature, () => {
      for (const path of FEATURE_PATHS[feature])
        expect([path, existsSync(join(ROOT, path))]).toEqual([path, true])
      const importers = sources
        .filter(
          ({ path, imports }) =>
            !isOfFeature(feature, path) && imports.some((each) => isOfFeature(feature, each)),
        )
        .map(({ path }) => path)
      expect(importers).not.toEqual([])
      expect(importers.filter((path) => !LISTS.includes(path))).toEqual([])
    })
})
