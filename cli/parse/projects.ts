import type { Command } from 'commander'
import { defineCommands, type RunWithContext } from './define.ts'
import { examples } from './examples.ts'

export const projectCommands = (program: Command, run: RunWithContext): void => {
  const projects = program
    .command('projects')
    .alias('project')
    .description('List, merge, delete and restore the projects that memories are about')
  const define = defineCommands(projects, run, () => import('../commands/projects.ts'))

  define(
    'list',
    'List projects, that with the latest memory first',
    (module) => module.runProjectsList,
    { isDefault: true },
  )
  define(
    'merge <project> <into>',
    'Join a renamed or moved project with another one, which may be new',
    (module) => module.runProjectsMerge,
  )
    .option('--yes', 'skip the confirmation')
    .addHelpText('after', examples('svc projects merge acme/shop acme/store'))
  define(
    'delete <project>',
    'Delete the memories of a project; they can be restored for 30 days',
    (module) => module.runProjectsDelete,
  )
    .option('--yes', 'skip the confirmation')
    .addHelpText('after', examples('svc projects delete acme/shop'))
  define(
    'restore <project>',
    'Restore the deleted memories of a project',
    (module) => module.runProjectsRestore,
  ).option('--since <time>', 'only those deleted at this time or later (ISO 8601)')
}
