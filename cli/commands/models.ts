import { usageError } from '../errors.ts'
import { canAsk, confirm } from '../input.ts'
import { runInterruptible } from '../interrupt.ts'
import type { Invocation } from '../parse/define.ts'
import { formatTable } from '../table.ts'
import { runOperation } from './admin/operation.ts'

const runModelOperation: typeof runOperation = (invocation, run) =>
  runOperation(invocation, run, 'models')

interface InstallArgs {
  model?: string
  yes?: boolean
  revision: string
  file?: string
}

export const runModelsInstall = async (
  invocation: Invocation,
  { model = 'minilm', yes = false, revision, file }: InstallArgs,
): Promise<void> => {
  const { io, options } = invocation
  if (!yes && !canAsk(io))
    throw usageError(
      'The licence of the model requires a confirmation, and there is no terminal to ask.',
      'Read it on the page of the model, and add: --yes',
    )
  const installed = await runInterruptible(io, (signal) =>
    runModelOperation(invocation, ({ operations, report }) =>
      operations.installEncoder(io.runtime.env, {
        model,
        revision,
        file,
        signal,
        report,
        async accept({ source, licence = 'not stated' }) {
          io.clear()
          io.info(`${source}: the licence is ${licence}.`)
          return yes || confirm('Install it?', io)
        },
      }),
    ),
  )
  if (!installed) return io.info('Nothing was installed.')
  if (options.json) return io.printJson(installed)
  io.info(
    `Installed ${installed.name} (${sizeOf(installed.bytes)}, SHA-256 of the model ${installed.files[installed.model]?.sha256}). To use it, set SVC_EMBEDDING=onnx:${installed.name} and restart svc.`,
  )
}

const sizeOf = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

export const runModelsList = async (invocation: Invocation): Promise<void> => {
  const { io, options } = invocation
  const models = await runModelOperation(invocation, async ({ operations }) =>
    operations.listEncoders(io.runtime.env),
  )
  if (options.json) return io.printJson(models)
  if (models.length === 0)
    return io.info('No model is installed. To install one, run: svc models install')
  const rows = models.map((model) => [
    model.name,
    model.licence ?? 'not stated',
    sizeOf(model.bytes),
    model.source,
  ])
  io.print(formatTable([['NAME', 'LICENCE', 'SIZE', 'SOURCE'], ...rows]))
}

export const runModelsRemove = async (
  invocation: Invocation,
  { model }: { model: string },
): Promise<void> => {
  const { io, options } = invocation
  io.willPrint(['removed'])
  await runModelOperation(invocation, async ({ operations }) =>
    operations.removeEncoder(io.runtime.env, model),
  )
  if (options.json) return io.printJson({ removed: model })
  io.info(`Removed ${model}.`)
}
