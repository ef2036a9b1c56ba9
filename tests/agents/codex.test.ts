import { codex } from './assistants.ts'
import { testMemoryOf } from './memory-tests.ts'

testMemoryOf(codex)
