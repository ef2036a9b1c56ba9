import { getInstructions, setInstructions } from '../../../../shared/contract/index.ts'
import type { Mount } from '../../../platform/http/route.ts'
import type { InstructionService } from './service.ts'

export const instructionRoutes = (mount: Mount, instructions: InstructionService): void => {
  mount(getInstructions, ({ caller }) => instructions.get(caller))
  mount(setInstructions, async ({ caller, body }) => {
    await instructions.set(caller, body)
    return { message: 'Custom instructions saved' }
  })
}
