import type { Command } from 'commander'
import { dataDirOption } from './data-dir.ts'
import { defineCommands, type RunWithoutContext } from './define.ts'
import { examples } from './examples.ts'
import { OUTPUT_OPTIONS, withGlobalOptions } from './help.ts'

/** Commands on the models in the data directory of this machine's server. */
export const modelCommands = (program: Command, run: RunWithoutContext): void => {
  const models = program.command('models').description('Install, list and remove sentence encoders')
  const dataDir = dataDirOption(run)
  const define = defineCommands(models, dataDir.withVariable, () => import('../commands/models.ts'))

  define(
    'install [model]',
    'Install an encoder, for recall by meaning without a service',
    (module) => module.runModelsInstall,
  )
    .option('--yes', 'accept the licence')
    .option('--revision <revision>', 'branch, tag or commit of the hub', 'main')
    .option('--file <path>', 'ONNX file of the model, where it is not onnx/model.onnx')
    .addHelpText(
      'after',
      MODELS +
        examples(
          'svc models install',
          'svc models install multilingual-e5',
          'svc models install ./my-model',
        ),
    )
  define('list', 'List the installed models', (module) => module.runModelsList)
  define('remove <model>', 'Remove an installed model', (module) => module.runModelsRemove).alias(
    'rm',
  )
  for (const command of models.commands) {
    dataDir.addTo(command)
    withGlobalOptions(command, ...OUTPUT_OPTIONS)
  }
}

const MODELS = `
Models: minilm (English, 90 MB, the default), multilingual-e5 (100 languages, 470 MB),
organization/name of the hub, or a directory (/… or ./…)
Variables of the server: SVC_DATA_DIR (default ./data), SVC_MODELS_URL
`
