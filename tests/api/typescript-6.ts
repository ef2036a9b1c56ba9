/** The generators use the JavaScript API of TypeScript 6, which TypeScript 7 does not have. */

import typescript from '@typescript/typescript6'
import { plugin } from 'bun'

plugin({
  name: 'typescript-6',
  setup: (build) => {
    build.module('typescript', () => ({
      loader: 'object',
      exports: { ...typescript, default: typescript },
    }))
  },
})
