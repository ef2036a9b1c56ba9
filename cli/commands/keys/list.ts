import type { Context } from '../../context.ts'
import { printList } from '../../list.ts'
import { sessionClient } from '../../session.ts'
import { formatLastUse } from '../../time.ts'
import { keys } from './ids.ts'

export const runKeysList = async (context: Context): Promise<void> =>
  printList(context, {
    items: await keys.all(await sessionClient(context)),
    id: keys.id,
    columns: {
      PREFIX: ({ key_prefix }) => key_prefix,
      CREATED: ({ created_at }) => created_at.slice(0, 10),
      'LAST USED': ({ last_used_at }) => formatLastUse(last_used_at),
      NAME: ({ name }) => name,
    },
    empty: 'No keys. To create one, run: svc keys create NAME',
  })
