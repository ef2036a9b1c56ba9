import { openCode } from './assistants.ts'
import { testMemoryOf } from './memory-tests.ts'

testMemoryOf(openCode)
